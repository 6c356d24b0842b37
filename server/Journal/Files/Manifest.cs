namespace Strata.Server.Journal.Files;

/// <summary>Which files the journal is made of: what Redis 7's manifest says. Never changed, but replaced.</summary>
internal sealed class Manifest
{
    /// <summary>A manifest.</summary>
    /// <param name="baseFile">The base; null for none.</param>
    /// <param name="history">What is to be deleted.</param>
    /// <param name="increments">What follows the base, in order.</param>
    public Manifest(
        ManifestPart? baseFile, IReadOnlyList<ManifestPart> history, IReadOnlyList<ManifestPart> increments)
    {
        Base = baseFile;
        History = history;
        Increments = increments;
    }

    /// <summary>One that lists nothing.</summary>
    public static Manifest Empty { get; } = new(null, [], []);

    /// <summary>The base; null for none.</summary>
    public ManifestPart? Base { get; }

    /// <summary>What is to be deleted.</summary>
    public IReadOnlyList<ManifestPart> History { get; }

    /// <summary>What follows the base, in order.</summary>
    public IReadOnlyList<ManifestPart> Increments { get; }

    /// <summary>Whether there is anything to load.</summary>
    public bool IsEmpty => Base is null && Increments.Count == 0;

    /// <summary>What there is to load, in order.</summary>
    public IEnumerable<ManifestPart> Live
        => Base is null ? Increments : [Base, .. Increments];

    /// <summary>All that is listed.</summary>
    public IEnumerable<ManifestPart> All => [.. Live, .. History];

    /// <summary>The number of the base; 0 for none.</summary>
    public long BaseSequence => Base?.Sequence ?? 0;

    /// <summary>The number of the last increment; 0 for none.</summary>
    public long IncrementSequence => Increments.Count > 0 ? Increments[^1].Sequence : 0;

    /// <summary>This with one more increment.</summary>
    public Manifest WithIncrement(ManifestPart increment) => new(Base, History, [.. Increments, increment]);

    /// <summary>This without what is to be deleted.</summary>
    public Manifest WithoutHistory() => new(Base, [], Increments);

    /// <summary>What follows from a rewrite: a new base, and what was listed before is history but for the increments
    /// that follow it.</summary>
    /// <param name="newBase">The new base.</param>
    /// <param name="firstIncrement">The number of the first increment that follows it.</param>
    /// <param name="unlisted">Increments that are listed from now on.</param>
    public Manifest Rewritten(ManifestPart newBase, long firstIncrement, IEnumerable<ManifestPart> unlisted)
    {
        var history = new List<ManifestPart>(History);
        var increments = new List<ManifestPart>();
        if (Base is not null)
        {
            history.Add(Base with { Kind = ManifestPartKind.History });
        }

        foreach (var part in Increments)
        {
            if (part.Sequence < firstIncrement)
            {
                history.Add(part with { Kind = ManifestPartKind.History });
            }
            else
            {
                increments.Add(part);
            }
        }

        increments.AddRange(unlisted);
        return new Manifest(newBase, history, increments);
    }
}
