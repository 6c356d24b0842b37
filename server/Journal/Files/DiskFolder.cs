using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Strata.Server.Options;
using Strata.Storage.Devices.Files;

namespace Strata.Server.Journal.Files;

/// <summary>A folder of the file system. Its whole path is taken when it is made: the process may enter another folder
/// later.</summary>
internal sealed class DiskFolder : IJournalFolder
{
    private readonly string _whole;

    /// <summary>A folder, which need not exist.</summary>
    /// <param name="path">Its path, whole or from the process's own folder.</param>
    public DiskFolder(string path)
    {
        Path = path;
        _whole = System.IO.Path.GetFullPath(path);
    }

    /// <inheritdoc/>
    public string Path { get; }

    /// <inheritdoc/>
    public bool Exists() => Directory.Exists(_whole);

    /// <inheritdoc/>
    public JournalError Make()
    {
        if (Exists())
        {
            return default;
        }

        if (FileCalls.MakeFolder(_whole, FileCalls.FolderMode) != 0)
        {
            var errno = Marshal.GetLastPInvokeError();
            if (errno != FileCalls.AlreadyExists || !Exists())
            {
                return RefusedToMake(errno);
            }
        }

        return SyncFolder(System.IO.Path.GetDirectoryName(_whole) ?? _whole);
    }

    /// <inheritdoc/>
    public bool Holds(string name) => File.Exists(Whole(name));

    /// <inheritdoc/>
    public JournalError List(List<string> names)
    {
        try
        {
            foreach (var file in Directory.EnumerateFiles(_whole))
            {
                names.Add(System.IO.Path.GetFileName(file));
            }

            return default;
        }
        catch (Exception error) when (FileError.Is(error))
        {
            const int InputOutput = 5;
            return new JournalError(error.HResult > 0 ? error.HResult : InputOutput, "list the folder", Path);
        }
    }

    /// <inheritdoc/>
    public JournalError Open(string name, FileUse use, out IJournalFile? file)
    {
        file = null;
        if (use == FileUse.Create && Delete(name) is { IsError: true } error)
        {
            return error;
        }

        var flags = FileCalls.CloseOnExec | use switch
        {
            FileUse.Read => FileCalls.ReadOnly | FileCalls.NonBlocking, // A pipe would wait for who writes to it.
            FileUse.Change => FileCalls.ReadWrite,
            _ => FileCalls.ReadWrite | FileCalls.Create | FileCalls.Alone,
        };
        var descriptor = FileCalls.Open(Whole(name), flags, FileCalls.FileMode);
        if (descriptor < 0)
        {
            return Refused(use == FileUse.Create ? "make" : "open", Shown(name));
        }

        file = new DiskFile(Shown(name), new SafeFileHandle(descriptor, ownsHandle: true));
        return default;
    }

    /// <inheritdoc/>
    public JournalError Rename(string from, string to)
        => FileCalls.Rename(Whole(from), Whole(to)) == 0 ? default : Refused($"rename to '{to}' the file", Shown(from));

    /// <inheritdoc/>
    public JournalError Move(string name, IJournalFolder target)
        => FileCalls.Rename(Whole(name), ((DiskFolder)target).Whole(name)) == 0
            ? default
            : Refused($"move into '{target.Path}' the file", Shown(name));

    /// <inheritdoc/>
    public JournalError Delete(string name)
        => FileCalls.Unlink(Whole(name)) == 0 || Marshal.GetLastPInvokeError() == FileCalls.NoEntry
            ? default
            : Refused("delete", Shown(name));

    /// <inheritdoc/>
    public JournalError Sync() => SyncFolder(_whole);

    /// <summary>Makes a file, writes to it and deletes it: whether that can be done here. Does not wait for the disk.
    /// </summary>
    public unsafe JournalError Probe(string name)
    {
        var error = Open(name, FileUse.Create, out var file);
        if (error.IsError)
        {
            return error;
        }

        using (file)
        {
            var one = (byte)'#';
            error = file!.Write(0, &one, 1, out _);
        }

        var failure = Delete(name);
        return error.IsError ? error : failure;
    }

    private static JournalError Refused(string action, string path) => new(Marshal.GetLastPInvokeError(), action, path);

    /// <summary>The kernel says that there is no such folder where it means that there can be none, as in /proc.
    /// </summary>
    private JournalError RefusedToMake(int errno)
    {
        var parent = System.IO.Path.GetDirectoryName(_whole)!;
        var cause = errno == FileCalls.NoEntry && Directory.Exists(parent)
            ? $"no files can be made there, on a file system of type {FileSystem.TypeOf(parent)}: choose a 'dir' on "
                + "a disk"
            : null;
        return new JournalError(errno, "make the folder", Path, cause);
    }

    private JournalError SyncFolder(string whole)
    {
        var descriptor = FileCalls.Open(whole, FileCalls.ReadOnly | FileCalls.CloseOnExec, 0);
        if (descriptor < 0)
        {
            return Refused("open the folder", whole == _whole ? Path : whole);
        }

        using var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        return FileCalls.Sync(handle) == 0 ? default : Refused("sync the folder", whole == _whole ? Path : whole);
    }

    private string Whole(string name) => System.IO.Path.Combine(_whole, name);

    private string Shown(string name) => System.IO.Path.Combine(Path, name);
}
