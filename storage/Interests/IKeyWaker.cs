namespace Strata.Storage.Interests;

/// <summary>An author of changes who is told whom they wake.</summary>
public interface IKeyWaker
{
    /// <summary>Whom the transaction or script at work has woken last, by whichever of its changes; null where there is
    /// none. The lease of their key's shard is held, too.</summary>
    AwaitedKey? LastWoken { get; }

    /// <summary>A change of a key has woken who waited for it. Called on the thread of the change, under the lease of
    /// the key's shard.</summary>
    void OnWoken(AwaitedKey awaited);
}
