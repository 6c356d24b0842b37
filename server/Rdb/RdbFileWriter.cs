using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>
/// Writes an RDB file around entries that <see cref="RdbValueWriter"/> makes: header, aux fields, functions, databases,
/// end and checksum. Belongs to the thread that writes the file.
/// </summary>
internal sealed class RdbFileWriter : IDisposable
{
    private const int VersionOffset = 5;
    private const int FlushBytes = 64 << 10;

    private readonly IRdbSink _sink;
    private readonly bool _withChecksum;
    private readonly RdbOutput _output;
    private Crc64 _crc;
    private int _version;

    /// <summary>A file of which nothing is written yet.</summary>
    /// <param name="sink">Where it goes.</param>
    /// <param name="budget">What is charged for what was not handed to the sink yet.</param>
    /// <param name="withChecksum">Whether it ends with a checksum; else with zeros, which nobody checks.</param>
    public RdbFileWriter(IRdbSink sink, MemoryBudget budget, bool withChecksum)
    {
        _sink = sink;
        _withChecksum = withChecksum;
        _output = new RdbOutput(budget);
    }

    /// <summary>Bytes that the sink has by now.</summary>
    public long Length { get; private set; }

    /// <summary>Begins the file.</summary>
    /// <param name="version">The version of the format.</param>
    public void Begin(int version)
    {
        _version = version;
        _output.Write("REDIS"u8);
        _output.Write(TextOf(version));
        Count();
    }

    /// <summary>Something that is told of the file.</summary>
    public void Aux(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        _output.WriteByte(RdbFormat.Aux);
        _output.WriteString(name, compresses: false);
        _output.WriteString(value, compresses: false);
        Count();
    }

    /// <inheritdoc cref="Aux(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public void Aux(ReadOnlySpan<byte> name, long value)
    {
        Span<byte> text = stackalloc byte[CanonicalInteger.MaxBytes];
        Aux(name, text[..NumberParser.Format(value, text)]);
    }

    /// <summary>A library of functions.</summary>
    public void Function(ReadOnlySpan<byte> code)
    {
        _output.WriteByte(RdbFormat.Function);
        _output.WriteString(code, compresses: false);
        Count();
    }

    /// <summary>The entries that follow are of a database, by the clients' number.</summary>
    public void SelectDatabase(int database)
    {
        _output.WriteByte(RdbFormat.Database);
        _output.WriteLength(database);
        Count();
    }

    /// <summary>Likewise, and how many there are about, for whom that spares growing.</summary>
    public void SelectDatabase(int database, long keys, long expiring)
    {
        SelectDatabase(database);
        _output.WriteByte(RdbFormat.Sizes);
        _output.WriteLength(keys);
        _output.WriteLength(expiring);
        Count();
    }

    /// <summary>Entries, or parts of them, as <see cref="RdbValueWriter"/> wrote them.</summary>
    public void Append(ReadOnlySpan<byte> entries)
    {
        Flush();
        Send(entries);
    }

    /// <summary>Ends the file. What it has of itself to write into the file is written then.</summary>
    /// <param name="neededVersion">The version that its entries need.</param>
    /// <returns>What the caller has to write over the beginning of the file where this is a newer one than that which
    /// it was begun with; else null.</returns>
    public RdbVersionPatch? End(int neededVersion)
    {
        _output.WriteByte(RdbFormat.End);
        Count();
        Flush();
        var patch = neededVersion > _version ? Patch(neededVersion) : null;
        Span<byte> checksum = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(checksum, _withChecksum ? _crc.Value : 0);
        Length += checksum.Length;
        _sink.Write(checksum);
        return patch;
    }

    /// <inheritdoc/>
    public void Dispose() => _output.Dispose();

    private static byte[] TextOf(int version)
        => Encoding.ASCII.GetBytes(version.ToString("D4", CultureInfo.InvariantCulture));

    /// <summary>The checksum is linear: a change of the file changes it by the checksum of that change, with zeros
    /// behind it to the end.</summary>
    private RdbVersionPatch? Patch(int version)
    {
        var text = TextOf(version);
        var before = TextOf(_version);
        Span<byte> change = stackalloc byte[text.Length];
        for (var i = 0; i < change.Length; i++)
        {
            change[i] = (byte)(text[i] ^ before[i]);
        }

        var crc = default(Crc64);
        crc.Add(change);
        crc.AddZeros(Length - VersionOffset - text.Length);
        _crc.Change(crc);
        return new RdbVersionPatch(VersionOffset, text);
    }

    private void Count()
    {
        if (_output.Length >= FlushBytes)
        {
            Flush();
        }
    }

    private void Flush()
    {
        if (_output.Length > 0)
        {
            Send(_output.Written);
            _output.Clear();
        }
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        Length += bytes.Length;
        if (_withChecksum)
        {
            _crc.Add(bytes);
        }

        _sink.Write(bytes);
    }
}
