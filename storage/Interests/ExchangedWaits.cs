using System.Diagnostics.CodeAnalysis;

namespace Strata.Storage.Interests;

/// <summary>All who wait for keys of a shard, by age, and how far they have been looked at since databases were
/// exchanged. Under the shard's lease.</summary>
internal sealed class ExchangedWaits
{
    // Those whose keys were exchanged since somebody is yet to be looked at.
    private readonly HashSet<byte> _databases = [];
    private AwaitedKey? _oldest;
    private AwaitedKey? _youngest;
    private AwaitedKey? _next;
    private long _last;

    /// <summary>How many wait.</summary>
    public int Count { get; private set; }

    /// <summary>Whether all have been looked at who waited at the last exchange.</summary>
    public bool IsAtEnd => _next == null || _next.Number > _last;

    /// <summary>Databases have been exchanged: all who wait are to be looked at.</summary>
    /// <param name="first">One of the databases.</param>
    /// <param name="second">The other one.</param>
    public void Add(byte first, byte second)
    {
        if (IsAtEnd)
        {
            _databases.Clear();
        }

        _ = _databases.Add(first);
        _ = _databases.Add(second);
        _next = _oldest;
        _last = _youngest?.Number ?? 0;
    }

    /// <summary>Whether somebody waits for a key of a database that was exchanged.</summary>
    public bool Concerns(AwaitedKey awaited) => _databases.Contains(awaited.Key.Database);

    /// <summary>Gives the next one to be looked at.</summary>
    public bool TryNext([NotNullWhen(true)] out AwaitedKey? awaited)
    {
        awaited = IsAtEnd ? null : _next;
        _next = awaited?.NextByAge;
        return awaited != null;
    }

    /// <summary>Somebody waits from here on.</summary>
    public void OnCame(AwaitedKey awaited)
    {
        awaited.PreviousByAge = _youngest;
        awaited.NextByAge = null;
        if (_youngest == null)
        {
            _oldest = awaited;
        }
        else
        {
            _youngest.NextByAge = awaited;
        }

        _youngest = awaited;
        Count++;
    }

    /// <summary>Somebody waits no longer.</summary>
    public void OnGone(AwaitedKey awaited)
    {
        if (_next == awaited)
        {
            _next = awaited.NextByAge;
        }

        if (awaited.PreviousByAge == null)
        {
            _oldest = awaited.NextByAge;
        }
        else
        {
            awaited.PreviousByAge.NextByAge = awaited.NextByAge;
        }

        if (awaited.NextByAge == null)
        {
            _youngest = awaited.PreviousByAge;
        }
        else
        {
            awaited.NextByAge.PreviousByAge = awaited.PreviousByAge;
        }

        awaited.PreviousByAge = null;
        awaited.NextByAge = null;
        Count--;
    }
}
