using Strata.Server.Journal.Files;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>A folder of the simulated disk.</summary>
internal sealed class SimulatedFolder(SimulatedDisk disk, string path) : IJournalFolder
{
    private readonly Dictionary<string, SimulatedInode> _durable = [];
    private Dictionary<string, SimulatedInode> _seen = [];

    public string Path => path;

    public bool IsThere { get; set; }

    public Dictionary<string, SimulatedInode> NamesOf(bool isDurable) => isDurable ? _durable : _seen;

    public byte[] this[string name] => _seen[name].Seen;

    public IReadOnlyCollection<string> Names => _seen.Keys;

    /// <summary>Puts a file there that is on the disk.</summary>
    public void Put(string name, byte[] content)
    {
        var inode = disk.CreateInode();
        inode.Write(0, content);
        inode.Sync();
        _seen[name] = _durable[name] = inode;
    }

    public void CutPower() => _seen = new(_durable);

    public bool Exists() => IsThere;

    public JournalError Make()
    {
        if (!IsThere && disk.Fails())
        {
            return Failed("make the folder", "");
        }

        IsThere = true;
        return default;
    }

    public bool Holds(string name) => _seen.ContainsKey(name);

    public JournalError List(List<string> names)
    {
        names.AddRange(_seen.Keys);
        return default;
    }

    public JournalError Open(string name, FileUse use, out IJournalFile? file)
    {
        file = null;
        if (use == FileUse.Create)
        {
            if (disk.Fails())
            {
                return Failed("make", name);
            }

            if (!_seen.TryGetValue(name, out var there))
            {
                disk.Change(new(null, null, this, name, disk.CreateInode()));
            }
            else
            {
                there.Truncate(0);
            }
        }

        if (!_seen.TryGetValue(name, out var inode))
        {
            const int NoEntry = 2;
            return new JournalError(NoEntry, "open", $"{path}/{name}");
        }

        file = new SimulatedFile(disk, inode, $"{path}/{name}");
        return default;
    }

    public JournalError Rename(string from, string to)
    {
        if (disk.Fails())
        {
            return Failed("rename", from);
        }

        disk.Change(new(this, from, this, to, _seen[from]));
        return default;
    }

    public JournalError Move(string name, IJournalFolder target)
    {
        if (disk.Fails())
        {
            return Failed("move", name);
        }

        disk.Change(new(this, name, (SimulatedFolder)target, name, _seen[name]));
        return default;
    }

    public JournalError Delete(string name)
    {
        if (disk.Fails())
        {
            return Failed("delete", name);
        }

        if (_seen.TryGetValue(name, out var inode))
        {
            disk.Change(new(this, name, null, null, inode));
        }

        return default;
    }

    public JournalError Sync()
    {
        if (disk.Fails())
        {
            return Failed("sync the folder", "");
        }

        disk.SyncNames(this);
        return default;
    }

    private JournalError Failed(string action, string name) => new(SimulatedDisk.InputOutput, action, $"{path}/{name}");
}
