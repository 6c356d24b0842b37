using Strata.Storage.Index;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>An interest in any change of a key (WATCH).</summary>
public sealed class WatchedKey : KeyInterest
{
    private readonly IChangeWatcher _watcher;

    /// <summary>A key that <paramref name="watcher"/> is told the changes of.</summary>
    public WatchedKey(in Key key, IChangeWatcher watcher, Worker owner)
        : base(key, owner)
    {
        _watcher = watcher;
    }

    /// <summary>Begins to watch. The lease must be held.</summary>
    public void Enter(KeyWatches watches) => EnterInto(watches);

    /// <summary>Tells the watcher that the key changed. The lease must be held.</summary>
    public void Tell() => _watcher.OnChange();
}
