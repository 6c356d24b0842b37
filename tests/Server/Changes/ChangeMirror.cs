using System.Text;
using NUnit.Framework;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Tests.Server.Changes;

/// <summary>
/// A copy of a shard's data, as clients see it, made of nothing but what the seam of change tells. What it is told must
/// fit together: before each change the key is as the copy says. Errors are kept for the test, as a listener must not
/// throw.
/// </summary>
internal sealed class ChangeMirror : IChangeListener
{
    private readonly Dictionary<string, string> _records = [];
    private readonly HashSet<string> _announced = [];
    private readonly HashSet<string> _changed = [];
    private readonly List<string> _errors = [];
    private readonly int[] _numbers = [.. Databases.Select(i => (int)i)];
    private readonly DatabaseMap _databases;
    private readonly Shard _shard;
    private (byte First, byte Second)? _exchange;

    public ChangeMirror(Shard shard, DatabaseMap databases)
    {
        _shard = shard;
        _databases = databases;
        shard.Changes.Add(this);
    }

    /// <summary>What was told of by now, of whatever key.</summary>
    public HashSet<KeyEvent> Told { get; } = [];

    /// <summary>Exchanges of databases that were told of.</summary>
    public int Exchanges { get; private set; }

    /// <summary>The physical numbers of all databases.</summary>
    private static IEnumerable<byte> Databases => Enumerable.Range(0, Limits.MaxDatabases).Select(i => (byte)i);

    public void BeforeChange(in Key key, in Record record)
    {
        var name = NameOf(key);
        _ = _announced.Add(name);
        _ = _changed.Remove(name);
        if (!record.IsNull && record.IsWithoutValue)
        {
            return;
        }

        var was = record.IsNull ? "nothing" : RecordText.Of(record);
        var copy = _records.GetValueOrDefault(name, "nothing");
        if (was != copy)
        {
            _errors.Add($"before a change {name} is {was}, and what was told of it is {copy}");
        }
    }

    public void Changed(in Key key, in Record record, in Change change)
    {
        _ = Told.Add(change.What);
        var name = NameOf(key);
        _ = _changed.Add(name);
        if (!_announced.Contains(name))
        {
            _errors.Add($"{Encoding.ASCII.GetString(change.What.Name)} of {name} was not told before");
        }

        if (record.IsNull)
        {
            _ = _records.Remove(name);
        }
        else
        {
            _records[name] = RecordText.Of(record);
        }
    }

    public void BeforeClear(int database)
    {
    }

    public void Cleared(int database, IChangeAuthor? author)
    {
        foreach (var name in _records.Keys.Where(name => IsOf(name, database)).ToList())
        {
            _ = _records.Remove(name);
        }
    }

    public void BeforeExchange(byte first, byte second)
    {
        _exchange = (first, second);
        if (_databases.LogicalOf(first) != _numbers[first] || _databases.LogicalOf(second) != _numbers[second])
        {
            _errors.Add($"databases {first} and {second} have changed places before it was told");
        }
    }

    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
        if (_exchange != (first, second) || first == second)
        {
            _errors.Add($"the exchange of {first} and {second} was not told before");
        }

        _exchange = null;
        Exchanges++;
        (_numbers[first], _numbers[second]) = (_numbers[second], _numbers[first]);
    }

    /// <summary>Compares the copy with the shard's data, under its lease, while no command is under way.</summary>
    /// <param name="after">What was done last.</param>
    public void Compare(string after)
    {
        Assert.That(_errors, Is.Empty, after);
        var all = ReadAll();
        if (all.Count != _records.Count || all.Except(_records).Any()) // The constraint takes long for what is equal.
        {
            Assert.That(_records, Is.EqualTo(all), after);
        }

        Assert.That(_records.Values.Any(value => !value.Contains('\'')), Is.False, $"{after}: no collection is empty");
        Assert.That(_numbers.SequenceEqual(Databases.Select(_databases.LogicalOf)), $"{after}: databases' numbers");
        _announced.ExceptWith(_changed); // What stayed as it was may be changed yet.
        _changed.Clear();
    }

    private unsafe Dictionary<string, string> ReadAll()
    {
        var all = new Dictionary<string, string>();
        var log = _shard.Log;
        for (var page = 1; page < log.PageTop; page++)
        {
            if (log.Pages[page].Kind == PageKind.Free)
            {
                continue;
            }

            for (long offset = 0; log.TryWalk(page, ref offset, out var record);)
            {
                if (_shard.TryFindLive(record, out var hash, out _))
                {
                    all.Add(NameOf(record.KeyWith(hash)), RecordText.Of(record));
                }
            }
        }

        return all;
    }

    private static string NameOf(in Key key) => $"{key.Database}/{Encoding.Latin1.GetString(key.Span)}";

    private static bool IsOf(string name, int database)
        => database == ShardChanges.AllDatabases || name.StartsWith($"{database}/", StringComparison.Ordinal);
}
