using System.Globalization;
using System.Text;
using Strata.Storage.Interop;
using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>
/// The file that says whose data the tier's files are: lines of the owner's, and one with their checksum (CRC-32C,
/// eight digits). It takes its name when the disk has it, so that a crash leaves all of it or none; where it does not
/// fit its checksum it was damaged.
/// </summary>
internal static class KeptNote
{
    private const string Name = "KEPT";
    private const string DraftName = "KEPT.new";
    private const string ChecksumWord = "crc32c ";
    private const int MaxBytes = 4096; // Of two file names; a longer one is not ours.

    /// <summary>The file in a folder.</summary>
    public static string PathIn(string folder) => Path.Combine(folder, Name);

    /// <summary>The owner's lines; null where there is no such file.</summary>
    /// <exception cref="IrregularFileException">It is no file.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static string? Read(string folder)
    {
        using var file = TierFile.TryOpen(PathIn(folder), Libc.OpenReadOnly);
        if (file == null)
        {
            return null;
        }

        var bytes = new byte[MaxBytes];
        var length = RandomAccess.Read(file, bytes, fileOffset: 0);
        bytes = bytes[..length];
        var text = Encoding.UTF8.GetString(bytes);
        var end = text.LastIndexOf(ChecksumWord, StringComparison.Ordinal);
        return end >= 0 && Seal(text[..end]).AsSpan().SequenceEqual(bytes)
            ? text[..end]
            : throw new InvalidDataException("its checksum is not that of what it says");
    }

    /// <summary>Writes it, if it does not say so already. On the disk when it returns, but for the folder's names.
    /// </summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    public static void Write(string folder, string owner)
    {
        if (Says(folder, owner))
        {
            return;
        }

        var draft = Path.Combine(folder, DraftName);
        using (var file = TierFile.Make(draft, FileAccess.Write))
        {
            RandomAccess.Write(file, Seal(owner), fileOffset: 0);
            RandomAccess.FlushToDisk(file);
        }

        try
        {
            File.Move(draft, PathIn(folder), overwrite: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            TierFile.RefuseFolder(PathIn(folder));
            throw;
        }
    }

    /// <summary>Removes it.</summary>
    /// <exception cref="IOException">It cannot be removed.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    public static void Delete(string folder)
    {
        TierFile.Remove(Path.Combine(folder, DraftName));
        TierFile.Remove(PathIn(folder));
    }

    /// <summary>Whether it says that already.</summary>
    public static bool Says(string folder, string owner)
    {
        try
        {
            return Read(folder) == owner;
        }
        catch (Exception exception) when (exception is InvalidDataException or IrregularFileException)
        {
            return false; // Who writes it knows better, and puts a file in the place of whatever is there.
        }
    }

    private static unsafe byte[] Seal(string owner)
    {
        var bytes = Encoding.UTF8.GetBytes(owner);
        fixed (byte* first = bytes)
        {
            var checksum = ~Crc32C.Continue(Crc32C.Begin, first, bytes.Length);
            var line = string.Create(CultureInfo.InvariantCulture, $"{ChecksumWord}{checksum:x8}\n");
            return [.. bytes, .. Encoding.ASCII.GetBytes(line)];
        }
    }
}
