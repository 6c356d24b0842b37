using Strata.Server.Journal.Files;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>An open file of the simulated disk.</summary>
internal sealed unsafe class SimulatedFile(SimulatedDisk disk, SimulatedInode inode, string path) : IJournalFile
{
    private readonly int _powerCuts = disk.PowerCuts;
    private bool _isDisposed;

    public string Path => path;

    public JournalError GetLength(out long bytes)
    {
        Check();
        bytes = inode.Seen.Length;
        return default;
    }

    public JournalError Read(long offset, byte* target, int bytes, out int read)
    {
        Check();
        read = (int)Math.Clamp(inode.Seen.Length - offset, 0, bytes);
        inode.Seen.AsSpan((int)offset, read).CopyTo(new Span<byte>(target, bytes));
        return default;
    }

    public JournalError Write(long offset, byte* bytes, long length, out long written)
    {
        Check();
        var (most, errno) = disk.Fails()
            ? (disk.Random.NextInt64(length), SimulatedDisk.InputOutput)
            : (length, 0);
        var inPlace = Math.Max(0, inode.Seen.Length - offset);
        if (disk.SpaceLeft < most - inPlace)
        {
            (most, errno) = (inPlace + disk.SpaceLeft, SimulatedDisk.NoSpace);
        }

        var before = inode.Seen.Length;
        inode.Write(offset, new ReadOnlySpan<byte>(bytes, (int)most));
        disk.SpaceLeft -= disk.SpaceLeft == long.MaxValue ? 0 : inode.Seen.Length - before;
        written = most;
        return errno == 0 ? default : new JournalError(errno, "write", path);
    }

    public JournalError Sync()
    {
        Check();
        if (disk.FailsSync())
        {
            inode.FailSync(disk.Random);
            return new JournalError(SimulatedDisk.InputOutput, "sync", path);
        }

        inode.Sync();
        return default;
    }

    public JournalError Truncate(long bytes)
    {
        Check();
        if (disk.Fails())
        {
            return new JournalError(SimulatedDisk.InputOutput, "truncate", path);
        }

        disk.SpaceLeft += disk.SpaceLeft == long.MaxValue ? 0 : Math.Max(0, inode.Seen.Length - bytes);
        inode.Truncate(bytes);
        return default;
    }

    public void Dispose() => _isDisposed = true;

    private void Check()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_powerCuts != disk.PowerCuts)
        {
            throw new InvalidOperationException($"{path} was opened before the power went");
        }
    }
}
