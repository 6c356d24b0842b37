namespace Strata.Server.Persistence;

/// <summary>What is saved is to be loaded while the server runs.</summary>
/// <param name="Empties">Whether all data goes before.</param>
/// <param name="Replaces">Whether what is loaded takes the place of keys and libraries that are there; else these are
/// an error.</param>
/// <param name="OnEnded">Is told whether all of it was loaded, on the first worker's thread.</param>
internal sealed record ReloadRequest(bool Empties, bool Replaces, Action<bool> OnEnded);
