using Strata.Server.Text;

namespace Strata.Server.Messaging;

/// <summary>A pattern of channels, and who subscribes to it; in a list with those that begin alike. Any thread may go
/// through the list while it is changed, under the directory's lock: one that was taken out still leads to those behind
/// it, and a new one comes first.</summary>
internal sealed class Pattern : Channel
{
    private Pattern? _next;

    public Pattern(ReadOnlySpan<byte> name, ulong hash, int workers)
        : base(name, hash, workers)
    {
        LiteralLength = Math.Min(GlobMatch.LiteralLength(name), PatternDirectory.LongestBeginning);
    }

    /// <summary>Bytes that it begins with and that stand for themselves, at most <see
    /// cref="PatternDirectory.LongestBeginning"/>.</summary>
    public int LiteralLength { get; }

    /// <inheritdoc/>
    public override int SizeBytes => base.SizeBytes + PatternDirectory.BytesPerPattern;

    /// <summary>The list that it is in.</summary>
    public PatternGroup? Group { get; set; }

    /// <summary>The next in the list.</summary>
    public Pattern? Next
    {
        get => Volatile.Read(ref _next);
        set => Volatile.Write(ref _next, value);
    }

    /// <summary>The one before it; under the lock.</summary>
    public Pattern? Previous { get; set; }
}
