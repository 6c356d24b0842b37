using Strata.Storage.Index;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>An interest in any change of a key (WATCH).</summary>
public sealed class WatchedKey : KeyInterest
{
    private readonly IChangeWatcher _watcher;

    /// <summary>A key that <paramref name="watcher"/> is told the changes of.</summary>
    /// <param name="key">The key.</param>
    /// <param name="watcher">Who watches.</param>
    /// <param name="owner">Their worker.</param>
    /// <param name="isExpired">Whether the key is there although its time has come.</param>
    public WatchedKey(in Key key, IChangeWatcher watcher, Worker owner, bool isExpired = false)
        : base(key, owner)
    {
        _watcher = watcher;
        WasExpired = isExpired;
    }

    /// <summary>Whether the key's time had come already when it began to be watched: that it is deleted for that is no
    /// change.</summary>
    public bool WasExpired { get; private set; }

    /// <summary>Begins to watch. The lease must be held.</summary>
    public void Enter(KeyWatches watches) => EnterInto(watches);

    /// <summary>Tells the watcher that the key changed. The lease must be held.</summary>
    public void Tell() => _watcher.OnChange();

    /// <summary>The key goes: tells the watcher, unless its time had come before. The lease must be held.</summary>
    public void TellOfEnd()
    {
        if (!WasExpired)
        {
            Tell();
        }

        WasExpired = false;
    }
}
