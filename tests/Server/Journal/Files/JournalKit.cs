using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Server.Journal.Files;
using Strata.Storage.Memory;
using Strata.Tests.Simulation;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>Writes and reads the journal's files for tests.</summary>
internal static unsafe class JournalKit
{
    public const int SmallBuffer = 4096;
    public const string Name = "appendonly.aof";

    public static JournalReadOptions Last { get; } = new(MayEndTorn: true, IsBase: false, LoadsTruncated: true);

    /// <summary>A command as RESP.</summary>
    public static byte[] Command(params string[] words)
    {
        var text = new StringBuilder($"*{words.Length}\r\n");
        foreach (var word in words)
        {
            text.Append(CultureInfo.InvariantCulture, $"${word.Length}\r\n{word}\r\n");
        }

        return Encoding.Latin1.GetBytes(text.ToString());
    }

    public static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);

    public static JournalFileWriter CreateWriter(IJournalFile file, ulong salt = 0x0123456789abcdef, long offset = 0)
    {
        AssertNone(JournalFileWriter.Begin(file, 1, new JournalHeader(salt, offset), out var writer));
        return writer!;
    }

    public static void AssertNone(JournalError error) => Assert.That(error.Text, Is.Empty);

    public static void Append(JournalFileWriter writer, params byte[][] commands)
    {
        foreach (var command in commands)
        {
            fixed (byte* bytes = command)
            {
                AssertNone(writer.Write(bytes, command.Length, out var written));
                Assert.That(written, Is.EqualTo(command.Length));
            }
        }
    }

    /// <summary>Appends commands and ends the batch.</summary>
    public static void AppendBatch(JournalFileWriter writer, params byte[][] commands)
    {
        Append(writer, commands);
        AssertNone(writer.EndBatch());
    }

    /// <summary>Goes on in another file, and ends this one.</summary>
    public static JournalFileWriter GoOnInNext(JournalFiles files, JournalFileWriter writer)
    {
        AssertNone(writer.EndBatch());
        NextIncrement? next = null;
        AssertNone(files.Switch(ref next));
        AssertNone(next!.Writer.Follow(writer.Offset, writer.SyncedOffset));
        AssertNone(writer.End());
        AssertNone(next.Writer.SyncFile());
        AssertNone(files.EndSwitch());
        AssertNone(next.Writer.OnFollowedSynced(writer.Offset));
        writer.Dispose();
        return next.Writer;
    }

    /// <summary>A file of ours.</summary>
    /// <param name="write">Who writes it.</param>
    /// <param name="offset">The journal's offset at its beginning.</param>
    public static byte[] Write(Action<JournalFileWriter> write, long offset = 0)
    {
        var folder = NewFolder();
        AssertNone(folder.Open(Name, FileUse.Create, out var file));
        using (var writer = CreateWriter(file!, offset: offset))
        {
            write(writer);
        }

        return folder[Name];
    }

    /// <summary>What is given out of a file.</summary>
    /// <param name="content">The file.</param>
    /// <param name="options">What is known of it.</param>
    /// <param name="end">How it ends.</param>
    /// <param name="buffer">How much of it is in memory.</param>
    public static byte[] Read(
        byte[] content, in JournalReadOptions options, out JournalEnd end, int buffer = SmallBuffer)
    {
        var given = new MemoryStream();
        end = ReadTo(given, content, options, buffer);
        return given.ToArray();
    }

    /// <inheritdoc cref="Read"/>
    public static JournalEnd ReadTo(
        MemoryStream given, byte[] content, in JournalReadOptions options, int buffer = SmallBuffer)
    {
        var folder = NewFolder();
        folder.Put(Name, content);
        AssertNone(folder.Open(Name, FileUse.Change, out var file));
        using (file)
        {
            return ReadTo(given, file!, options, buffer);
        }
    }

    /// <inheritdoc cref="Read"/>
    public static JournalEnd ReadTo(
        MemoryStream given, IJournalFile file, in JournalReadOptions options, int buffer = SmallBuffer)
    {
        var budget = new MemoryBudget();
        using (var reader = new JournalFileReader(budget, buffer))
        {
            reader.Begin(file, options);
            while (reader.TryRead(out var stretch))
            {
                Assert.That(stretch.Length, Is.Positive);
                given.Write(new ReadOnlySpan<byte>(stretch.Bytes, stretch.Length));
            }

            if (reader.End.HasMore)
            {
                AssertNone(reader.Cut());
            }

            return reader.End;
        }
    }

    public static SimulatedFolder NewFolder() => new SimulatedDisk(1).CreateFolder("aof", exists: true);

    public static JournalFiles NewFiles(SimulatedFolder directory, SimulatedFolder folder, ulong seed = 1)
        => new(directory, folder, Name, new SimulatedPlatform(seed));

    public static byte[] Joined(params byte[][] parts) => [.. parts.SelectMany(part => part)];
}
