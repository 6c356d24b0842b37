using Strata.Server.Text;

namespace Strata.Server.Messaging;

/// <summary>
/// Finds the patterns that match a channel's name, one by one and in steps, on any thread. One that is there all the
/// while is found once; one that comes or goes meanwhile may be.
/// </summary>
internal struct PatternWalk
{
    // What it takes to look at a pattern, and to look for those of a length, in bytes that are compared.
    private const int EffortOfPattern = GlobMatch.BytesPerElement;

    private const int CopiedAtOnce = 16;

    private readonly PatternDirectory _directory;
    private readonly int[] _lengths;
    private int _next;
    private Pattern? _pattern;
    private GlobMatch _match;

    /// <summary>Begins with the patterns as they are now.</summary>
    public PatternWalk(PatternDirectory directory)
    {
        _directory = directory;
        _lengths = directory.Lengths;
    }

    /// <summary>How much it is to copy bytes for a pattern, as <see cref="TryFind"/> counts it.</summary>
    public static long EffortOfCopy(long bytes) => EffortOfPattern + (bytes / CopiedAtOnce);

    /// <summary>Goes on to the next pattern that matches.</summary>
    /// <param name="name">The channel's name, the same each time.</param>
    /// <param name="worker">The worker whose subscribers are looked for, or -1 for all.</param>
    /// <param name="effort">How many bytes may be compared, in which all else is counted, too; less those that were.
    /// </param>
    /// <param name="found">The pattern; null when there are no more.</param>
    /// <returns>False when this was all the effort, and more is to be looked at.</returns>
    public bool TryFind(ReadOnlySpan<byte> name, int worker, ref long effort, out Pattern? found)
    {
        while (_pattern != null || TryNextGroup(name, ref effort))
        {
            if (effort <= 0)
            {
                found = null;
                return false;
            }

            effort -= EffortOfPattern;
            if (worker >= 0 && _pattern!.CountOf(worker) == 0)
            {
                Leave();
                continue;
            }

            if (Match(name, ref effort) is not { } matches)
            {
                continue; // The effort is spent.
            }

            found = _pattern;
            Leave();
            if (matches)
            {
                return true;
            }
        }

        found = null;
        return true;
    }

    /// <summary>Goes on to the first pattern of the next length that a beginning of the name has.</summary>
    private bool TryNextGroup(ReadOnlySpan<byte> name, ref long effort)
    {
        while (_next < _lengths.Length && _lengths[_next] <= name.Length)
        {
            var length = _lengths[_next++];
            effort -= EffortOfPattern + length;
            Enter(_directory.FirstOf(name[..length]));
            if (_pattern != null)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>No pattern matches the empty name but the empty one: KEYS alone takes <c>*</c> for everything.
    /// </summary>
    private bool? Match(ReadOnlySpan<byte> name, ref long effort)
        => name.IsEmpty ? _pattern!.Name.Length == 0 : _match.Go(_pattern!.Name, name, ignoreCase: false, ref effort);

    private void Leave() => Enter(_pattern!.Next);

    private void Enter(Pattern? pattern)
    {
        _pattern = pattern;
        _match = new GlobMatch(pattern?.LiteralLength ?? 0);
    }
}
