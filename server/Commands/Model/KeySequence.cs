using System.Runtime.CompilerServices;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Model;

/// <summary>
/// The keys of a command in order, hashed a few ahead of the one that is given out, so that the memory accesses of
/// their look-ups overlap (scatter-gather). Used by foreach.
/// </summary>
public ref struct KeySequence
{
    private const int Ahead = 8; // Buckets fetched ahead; records follow half as far ahead.

    private readonly CommandContext _context;
    private readonly int _step;
    private readonly int _last;
    private Window _window;
    private int _given;
    private int _hashed;

    /// <summary>The keys from argument <paramref name="first"/> to the last, every <paramref name="step"/>.</summary>
    public KeySequence(CommandContext context, int first, int step)
    {
        _context = context;
        _step = step;
        _last = context.Count - 1;
        Index = first - step;
        _given = -1;
        for (var i = 0; i < Ahead; i++)
        {
            HashNext(first);
        }
    }

    /// <summary>The argument number of <see cref="Current"/>.</summary>
    public int Index { get; private set; }

    /// <summary>The key.</summary>
    public readonly Key Current => _window[_given % Ahead];

    public readonly KeySequence GetEnumerator() => this;

    public bool MoveNext()
    {
        if (_given >= 0)
        {
            HashNext(Index - (_given * _step)); // Takes the place of the key that was given out last.
        }

        if (Index + _step > _last)
        {
            return false;
        }

        Index += _step;
        _given++;
        var fetched = _given + (Ahead / 2);
        if (fetched < _hashed)
        {
            var hash = _window[fetched % Ahead].Hash;
            _context.Server.Shards.Of(hash).PrefetchRecord(hash);
        }

        return true;
    }

    private void HashNext(int first)
    {
        var index = first + (_hashed * _step);
        if (index <= _last)
        {
            var key = _context.KeyAt(index);
            _context.ShardOf(key).Index.Prefetch(key.Hash);
            _window[_hashed % Ahead] = key;
            _hashed++;
        }
    }

    [InlineArray(Ahead)]
    private struct Window
    {
        private Key _first;
    }
}
