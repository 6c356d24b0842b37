namespace Strata.Server.Journal.Files;

/// <summary>A file that the manifest lists.</summary>
/// <param name="Name">Its name in the journal's folder.</param>
/// <param name="Sequence">Its number among those of its kind, from 1.</param>
/// <param name="Kind">What it is.</param>
internal sealed record ManifestPart(string Name, long Sequence, ManifestPartKind Kind);
