using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Strata.Server.Journal.Files;

/// <summary>
/// Keeps other servers of this machine from using the same files, until it is disposed of or the process ends: a lock
/// (flock) on their folder, or on a file of its own beside one that is replaced again and again. What cannot be locked
/// (the file system has no locks, or nobody may write there) is not: who writes there is told by the writing.
/// </summary>
internal sealed class PathLock : IDisposable
{
    private readonly SafeFileHandle _handle;
    private readonly string? _file;

    private PathLock(string path, SafeFileHandle handle, string? file)
    {
        Path = path;
        _handle = handle;
        _file = file;
    }

    /// <summary>What is locked.</summary>
    public string Path { get; }

    /// <summary>Whether what is locked still lies there, and nobody has moved or replaced it.</summary>
    public bool IsInPlace => InodeOf(_handle) is not { } held
        || (InodeAt(_file ?? Path) is { } there ? there == held : System.IO.Path.Exists(_file ?? Path));

    /// <summary>Locks a folder.</summary>
    /// <returns>The lock; null where there can be none.</returns>
    /// <exception cref="IOException">Another server has it locked.</exception>
    public static PathLock? OfFolder(string folder) => Take(folder, folder, FileCalls.ReadOnly, isFile: false);

    /// <summary>Locks a file that need not exist, by one whose name ends with <c>.lock</c>.</summary>
    /// <returns>The lock; null where there can be none.</returns>
    /// <exception cref="IOException">Another server has it locked.</exception>
    public static PathLock? OfFile(string path)
        => Take(path, path + ".lock", FileCalls.ReadWrite | FileCalls.Create, isFile: true);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_file != null)
        {
            _ = FileCalls.Unlink(_file); // While it is locked; who opens it now finds out that it has gone.
        }

        _handle.Dispose();
    }

    private static PathLock? Take(string path, string locked, int flags, bool isFile)
    {
        while (true)
        {
            var handle = Open(locked, flags);
            if (handle == null)
            {
                return null;
            }

            if (FileCalls.Lock(handle, FileCalls.LockAlone | FileCalls.LockAtOnce) != 0)
            {
                var isTaken = Marshal.GetLastPInvokeError() == FileCalls.WouldBlock;
                var holder = isTaken ? HolderOf(handle) : "";
                handle.Dispose();
                return isTaken ? throw InUse(path, holder) : null;
            }

            if (!isFile || InodeOf(handle) is not { } inode || inode == InodeAt(locked))
            {
                return new PathLock(path, handle, isFile ? locked : null);
            }

            handle.Dispose(); // Whoever had it has deleted it meanwhile.
        }
    }

    private static SafeFileHandle? Open(string path, int flags)
    {
        var descriptor = FileCalls.Open(path, flags | FileCalls.CloseOnExec, FileCalls.FileMode);
        return descriptor < 0 ? null : new SafeFileHandle(descriptor, ownsHandle: true);
    }

    private static IOException InUse(string path, string holder)
        => new(
            $"'{path}' is in use by another server{holder}: stop that, or give this one a folder or name of its own");

    private static string? InodeAt(string path)
    {
        using var handle = Open(path, FileCalls.ReadOnly);
        return handle == null ? null : InodeOf(handle);
    }

    /// <summary>What the kernel says of an open file; null where it does not.</summary>
    private static string? InodeOf(SafeFileHandle handle)
        => Lines(string.Create(CultureInfo.InvariantCulture, $"/proc/self/fdinfo/{handle.DangerousGetHandle()}"))
            .FirstOrDefault(static line => line.StartsWith("ino:", StringComparison.Ordinal))?["ino:".Length..].Trim();

    /// <summary>The process that has it locked, for a message; empty where that is not known.</summary>
    private static string HolderOf(SafeFileHandle handle)
    {
        const int ProcessColumn = 4;
        const int FileColumn = 5;
        if (InodeOf(handle) is not { } inode)
        {
            return "";
        }

        foreach (var line in Lines("/proc/locks"))
        {
            var columns = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (columns.Length > FileColumn && columns[1] == "FLOCK"
                && columns[FileColumn].EndsWith(":" + inode, StringComparison.Ordinal))
            {
                return $" (process {columns[ProcessColumn]})";
            }
        }

        return "";
    }

    private static string[] Lines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return []; // It is only for messages.
        }
    }
}
