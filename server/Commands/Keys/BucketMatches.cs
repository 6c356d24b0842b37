using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// Which keys of the bucket at hand match a pattern, where it takes several steps to find out. Between two of them keys
/// may come, go or be moved: the bucket is entered again in each, and what was found out by then of long names is known
/// by their hashes.
/// </summary>
internal sealed class BucketMatches
{
    // Bytes that are looked at of a name which is remembered.
    private const long LongBytes = 1024;

    private readonly Dictionary<ulong, bool> _known = [];
    private NameMatch _match;
    private ulong _hash;
    private int _length;

    /// <summary>Finds out whether a key matches.</summary>
    /// <param name="options">The pattern.</param>
    /// <param name="record">The key's record.</param>
    /// <param name="effort">How many bytes may be looked at; less those that were.</param>
    /// <returns>Null where that takes another step.</returns>
    public bool? Matches(in ScanOptions options, in Record record, ref long effort)
    {
        var key = record.Key;
        var before = effort;
        var isKnownByHash = _match.IsUnderWay || _known.Count > 0;
        var hash = isKnownByHash ? record.ComputeHash() : 0;
        if (isKnownByHash && _known.TryGetValue(hash, out var known))
        {
            return known;
        }

        var match = _match.IsUnderWay && _hash == hash && _length == key.Length ? _match : default;
        var isAnother = !match.IsUnderWay;
        if (options.MatchesName(key, ref match, ref effort) is not { } matches)
        {
            (_match, _hash, _length) = (match, isKnownByHash ? hash : record.ComputeHash(), key.Length);
            return null;
        }

        if (!isAnother || before - effort >= LongBytes)
        {
            _known[isKnownByHash ? hash : record.ComputeHash()] = matches;
        }

        _match = isAnother ? _match : default;
        return matches;
    }

    /// <summary>All keys of the bucket were looked at.</summary>
    public void EndBucket()
    {
        _match = default;
        if (_known.Count > 0)
        {
            _known.Clear();
        }
    }
}
