namespace Strata.Storage.Interests;

/// <summary>What becomes of the keys that one command holds (<see cref="HeldKey"/>), however many they are.</summary>
public sealed class KeyHold
{
    /// <summary>Whether one of the keys was changed, or exchanged for another of its name, since it is held. The leases
    /// of all must be held.</summary>
    public bool WasDisturbed { get; private set; }

    /// <summary>One of the keys is about to be changed; its lease is held.</summary>
    internal void OnChange() => WasDisturbed = true;
}
