using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// Which keys of the bucket at hand match a pattern, where it takes several steps to find out. Between two of them keys
/// may come, go or be moved: the bucket is entered again in each, and what was found out by then of its keys is known
/// by their hashes.
/// </summary>
internal sealed class BucketMatches
{
    private readonly Dictionary<ulong, bool> _known = [];
    private NameMatch _match;
    private ulong _hash;
    private int _length;
    private bool _isEnteredAgain;

    /// <summary>Finds out whether a key matches.</summary>
    /// <param name="options">The pattern.</param>
    /// <param name="record">The key's record.</param>
    /// <param name="effort">How many bytes may be looked at; less those that were.</param>
    /// <returns>Null where that takes another step.</returns>
    public bool? Matches(in ScanOptions options, in Record record, ref long effort)
    {
        var key = record.Key;
        var hash = _isEnteredAgain ? record.ComputeHash() : 0;
        if (_isEnteredAgain && _known.TryGetValue(hash, out var known))
        {
            return known;
        }

        var goesOn = _match.IsUnderWay && _hash == hash && _length == key.Length;
        var match = goesOn ? _match : default;
        if (options.MatchesName(key, ref match, ref effort) is not { } matches)
        {
            (_match, _hash, _length) = (match, _isEnteredAgain ? hash : record.ComputeHash(), key.Length);
            _isEnteredAgain = true;
            return null;
        }

        if (_isEnteredAgain)
        {
            _known[hash] = matches; // So that each step comes further.
        }

        _match = goesOn ? default : _match;
        return matches;
    }

    /// <summary>All keys of the bucket were looked at.</summary>
    public void EndBucket()
    {
        if (_isEnteredAgain)
        {
            _match = default;
            _known.Clear();
            _isEnteredAgain = false;
        }
    }
}
