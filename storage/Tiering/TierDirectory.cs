using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using Strata.Storage.Devices;
using Strata.Storage.Devices.Files;
using Strata.Storage.Interop;

namespace Strata.Storage.Tiering;

/// <summary>
/// The folder that the tier's files lie in. A mark in it says that the files are this program's, and is locked as long
/// as a process uses them. What an earlier process left behind is removed, but for what a checkpoint of the
/// journal names.
/// </summary>
public sealed class TierDirectory : IDisposable
{
    /// <summary>The folder's name in the data directory.</summary>
    public const string FolderName = "strata-tier";

    private const string MarkName = "MARK";
    private const string MarkText = "Strata tier 1";
    private const string SegmentName = "segment";
    private const string ProbeName = "PROBE";

    private static readonly byte[] s_mark = Encoding.ASCII.GetBytes(MarkText + "\n");

    private readonly FileStream _mark;

    private TierDirectory(string path, FileStream mark)
    {
        _mark = mark;
        SegmentPath = Path.Combine(path, SegmentName);
    }

    /// <summary>The folder.</summary>
    public string FolderPath => Path.GetDirectoryName(SegmentPath)!;

    /// <summary>The path of the segments, each of which adds a dot and its number.</summary>
    public string SegmentPath { get; }

    /// <summary>What <see cref="Keep"/> has said last in a folder; null where it has not.</summary>
    /// <param name="dataDirectory">Where the folder lies.</param>
    /// <exception cref="DeviceException">It cannot be read, or is damaged.</exception>
    public static string? KeptFor(string dataDirectory)
    {
        var folder = Path.Combine(dataDirectory, FolderName);
        try
        {
            return KeptNote.Read(folder);
        }
        catch (IrregularFileException exception)
        {
            throw new DeviceException(
                $"{exception.Message}, and start with 'appendonly yes' and with the 'appenddirname' and "
                + "'appendfilename' of the journal that the files beside it belong to, which writes it anew, or move "
                + $"{folder} away to start without them");
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            throw new DeviceException(
                $"the file {KeptNote.PathIn(folder)} says whose data the files beside it are, and cannot be read: "
                + $"{exception.Message}; start with 'appendonly yes' and with the 'appenddirname' and 'appendfilename' "
                + $"of the journal that they belong to, which mends it, or move {folder} away to start without them");
        }
    }

    /// <summary>Makes the folder or takes it over. Its files are as they were: which of them are data is to be found
    /// out from here on, when no other process can make some so.</summary>
    /// <param name="dataDirectory">Where it lies.</param>
    /// <exception cref="DeviceException">It belongs to something else, is in use, or cannot be used.</exception>
    public static TierDirectory Open(string dataDirectory)
    {
        var path = Path.Combine(dataDirectory, FolderName);
        var isNew = !Directory.Exists(path);
        FileStream? mark = null;
        try
        {
            Directory.CreateDirectory(path);
            mark = OpenMark(path);
            Probe(path);
            return new TierDirectory(path, mark);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or DeviceException)
        {
            mark?.Dispose();
            var left = isNew && !TryForget(path) ? $". The folder {path}, made just now, could not be removed" : "";
            var text = exception is DeviceException or IrregularFileException
                ? exception.Message
                : $"cannot use the folder {path} for data on disk: {CauseOf(exception, dataDirectory)}; "
                    + "choose a 'dir' on a disk, to which this user may write";
            throw new DeviceException(text + left);
        }
    }

    /// <summary>Removes the segments, none of which is data: the device must not use them.</summary>
    /// <returns>How many there were.</returns>
    /// <exception cref="DeviceException">They cannot be removed; the next start tries again.</exception>
    public int RemoveSegments()
    {
        try
        {
            var removed = RemoveSegments(FolderPath, kept: null);
            KeptNote.Delete(FolderPath);
            return removed;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new DeviceException($"cannot remove the files {SegmentPath}.*: {exception.Message}");
        }
    }

    /// <summary>Removes the segments that are not data.</summary>
    /// <param name="kept">The numbers of those that are.</param>
    /// <returns>How many were removed.</returns>
    /// <exception cref="DeviceException">They cannot be.</exception>
    public int RemoveOthers(IReadOnlySet<long> kept)
    {
        try
        {
            return RemoveSegments(FolderPath, kept);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new DeviceException($"cannot remove files of {SegmentPath}.*: {exception.Message}");
        }
    }

    /// <summary>Whether <see cref="Keep"/> has said so last, and nothing of it is damaged.</summary>
    /// <param name="owner">Whose data, in whole lines.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    public bool IsKeptFor(string owner) => KeptNote.Says(FolderPath, owner);

    /// <summary>Says that the segments are data, whatever becomes of the process. On the disk when it returns, but for
    /// the folder's names.</summary>
    /// <param name="owner">Whose data, in whole lines.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Keep(string owner)
    {
        try
        {
            KeptNote.Write(FolderPath, owner);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _mark.Dispose();

    private static FileStream OpenMark(string path)
    {
        var file = Path.Combine(path, MarkName);
        var handle = OpenMarkFile(path, file);
        if (!TierFile.TryLock(handle))
        {
            handle.Dispose();
            throw new DeviceException($"the folder {path} is in use by another process: choose another 'dir'");
        }

        var mark = new FileStream(handle, FileAccess.ReadWrite);
        var found = new byte[s_mark.Length];
        var length = mark.ReadAtLeast(found, found.Length, throwOnEndOfStream: false);
        if (length > 0 && !found.AsSpan(0, length).SequenceEqual(s_mark))
        {
            mark.Dispose();
            throw new DeviceException(
                $"{file} is not the mark of this program: choose another 'dir', or, if the files beside it are a "
                + $"tier's whose mark was damaged, write it again ({Remark(file)})");
        }

        mark.Position = 0;
        mark.Write(s_mark);
        mark.Flush();
        return mark;
    }

    private static SafeFileHandle OpenMarkFile(string path, string file)
    {
        try
        {
            if (TierFile.TryOpen(file, Libc.OpenReadWrite) is { } handle)
            {
                return handle;
            }
        }
        catch (IrregularFileException exception)
        {
            throw new DeviceException(
                $"{exception.Message}, and, if the files beside it are a tier's, write the mark of this program there "
                + $"({Remark(file)}), or choose another 'dir'");
        }

        return Directory.EnumerateFileSystemEntries(path).Any()
            ? throw new DeviceException(
                $"the folder {path} holds files but not the mark of this program: choose another 'dir', or, if they "
                + $"are a tier's whose mark was lost, write it again ({Remark(file)})")
            : TierFile.TryOpen(file, Libc.OpenReadWrite | Libc.OpenCreate)
                ?? throw new FileNotFoundException(file);
    }

    private static string Remark(string file) => $"echo '{MarkText}' > '{file}'";

    /// <summary>Makes a file, lets it grow, fills it and removes it: not every file system that has folders can.
    /// </summary>
    private static void Probe(string path)
    {
        var file = Path.Combine(path, ProbeName);
        using var probe = TierFile.Make(file, FileAccess.ReadWrite, FileOptions.DeleteOnClose);
        RandomAccess.SetLength(probe, Limits.MinPageBytes);
        RandomAccess.Write(probe, new byte[Limits.MinPageBytes], fileOffset: 0);
    }

    /// <summary>Removes a folder that was made in vain, if it was made.</summary>
    private static bool TryForget(string path)
    {
        try
        {
            if (Directory.Exists(path))
            {
                File.Delete(Path.Combine(path, MarkName));
                Directory.Delete(path);
            }

            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static string CauseOf(Exception exception, string dataDirectory)
    {
        if (!Directory.Exists(dataDirectory))
        {
            return $"there is no directory {dataDirectory}";
        }

        var cause = exception switch
        {
            UnauthorizedAccessException => "permission denied",
            FileNotFoundException or DirectoryNotFoundException => "no files can be made there",

            // .NET puts the errno there when it has no exception type of its own for it.
            IOException { HResult: > 0 } => Marshal.GetPInvokeErrorMessage(exception.HResult),
            _ => exception.Message,
        };
        return $"{cause}, on a file system of type {FileSystem.TypeOf(dataDirectory)}";
    }

    private static int RemoveSegments(string path, IReadOnlySet<long>? kept)
    {
        var removed = 0;
        foreach (var file in Directory.EnumerateFiles(path, SegmentName + ".*"))
        {
            var number = Path.GetExtension(file).AsSpan(1);
            if (!long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var parsed))
            {
                throw new DeviceException($"{file} is not a file of this program: remove it");
            }

            if (kept?.Contains(parsed) != true)
            {
                File.Delete(file);
                removed++;
            }
        }

        return removed;
    }
}
