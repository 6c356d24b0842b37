namespace Strata.Tests.Server.Journal.Files;

/// <summary>
/// A disk that forgets: when the power goes, of what was written and not synced each piece may be there, or not, or in
/// parts of a sector's size; of the changes of names any may have come about. Syncs and writes fail on request. After a
/// failed sync of a file what was not on the disk may be lost for good, though later syncs succeed. All from one seed.
/// </summary>
internal sealed class SimulatedDisk(int seed)
{
    public const int NoSpace = 28;
    public const int InputOutput = 5;

    private readonly List<SimulatedInode> _inodes = [];
    private readonly List<NameChange> _names = [];

    public Random Random { get; } = new(seed);

    /// <summary>One operation of so many fails; 0 for none.</summary>
    public int FailsOneOf { get; set; }

    /// <summary>Bytes that files may still grow by.</summary>
    public long SpaceLeft { get; set; } = long.MaxValue;

    /// <summary>How many syncs of files succeed before one fails; negative for all.</summary>
    public int SyncsBeforeFailure { get; set; } = -1;

    /// <summary>Called where a sync of a file begins, by whoever syncs: it takes as long as this.</summary>
    public Action? SyncBegins { get; set; }

    /// <summary>Syncs of files so far.</summary>
    public int Syncs { get; private set; }

    /// <summary>How often the power went: what was opened before is gone.</summary>
    public int PowerCuts { get; private set; }

    /// <summary>Calls that change something so far.</summary>
    public int Changes { get; private set; }

    /// <summary>When that many changes were made the power goes, in the midst of whoever makes the next.</summary>
    public int LastChange { get; set; } = int.MaxValue;

    public SimulatedFolder CreateFolder(string path, bool exists) => new(this, path) { IsThere = exists };

    public SimulatedInode CreateInode()
    {
        var inode = new SimulatedInode();
        _inodes.Add(inode);
        return inode;
    }

    /// <summary>A change begins.</summary>
    /// <returns>Whether it fails.</returns>
    public bool Fails()
    {
        if (Changes++ >= LastChange)
        {
            throw new PowerCutException();
        }

        return FailsOneOf > 0 && Random.Next(FailsOneOf) == 0;
    }

    /// <summary>A sync of a file begins.</summary>
    /// <returns>Whether it fails.</returns>
    public bool FailsSync()
    {
        SyncBegins?.Invoke();
        Syncs++;
        return Fails() | SyncsBeforeFailure-- == 0;
    }

    public void Change(NameChange change)
    {
        _names.Add(change);
        change.Apply(isDurable: false);
    }

    public void SyncNames(SimulatedFolder folder)
    {
        foreach (var change in _names.Where(change => change.Concerns(folder)))
        {
            change.Apply(isDurable: true);
        }

        _names.RemoveAll(change => change.Concerns(folder));
    }

    public void CutPower(params SimulatedFolder[] folders)
    {
        PowerCuts++;
        LastChange = int.MaxValue;
        foreach (var change in _names.Where(_ => Random.Next(2) == 0))
        {
            change.Apply(isDurable: true);
        }

        _names.Clear();
        foreach (var inode in _inodes)
        {
            inode.CutPower(Random);
        }

        foreach (var folder in folders)
        {
            folder.CutPower();
        }
    }

    /// <summary>A name that appears, goes, or is taken over.</summary>
    public sealed record NameChange(
        SimulatedFolder? From, string? FromName, SimulatedFolder? To, string? ToName, SimulatedInode Inode)
    {
        public bool Concerns(SimulatedFolder folder) => From == folder || To == folder;

        public void Apply(bool isDurable)
        {
            From?.NamesOf(isDurable).Remove(FromName!);
            if (To is not null)
            {
                To.NamesOf(isDurable)[ToName!] = Inode;
            }
        }
    }
}
