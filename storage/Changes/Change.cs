namespace Strata.Storage.Changes;

/// <summary>What became of a key, and by whom.</summary>
/// <param name="what">The event.</param>
/// <param name="author">Who changed the key; null where no command did.</param>
public readonly struct Change(KeyEvent what, IChangeAuthor? author)
{
    /// <summary>The event.</summary>
    public KeyEvent What { get; } = what;

    /// <summary>Who changed the key; null where no command did: expiry, eviction.</summary>
    public IChangeAuthor? Author { get; } = author;
}
