using Strata.Server.Persistence.Checkpoints;

namespace Strata.Server.Persistence;

/// <summary>How an RDB file is loaded.</summary>
/// <param name="KeepsExpired">Whether keys are loaded whose time has come.</param>
/// <param name="Replaces">Whether a key takes the place of one that is there; else that is an error.</param>
/// <param name="LoadFunction">Loads a library of functions, on the first worker; gives what is wrong with it, or null.
/// </param>
/// <param name="Wake">Has a worker go on with loading, by its number. Any thread.</param>
/// <param name="Kept">What the file is a checkpoint of; null where it is an RDB file.</param>
internal sealed record RdbLoadOptions(
    bool KeepsExpired, bool Replaces, Func<byte[], string?> LoadFunction, Action<int> Wake, KeptTier? Kept = null);
