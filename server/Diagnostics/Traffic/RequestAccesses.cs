using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Diagnostics.Traffic;

/// <summary>
/// Which arguments of a request are keys, each told at once, however many there are: so of a long command some can be
/// drawn without a walk over all. A key that an option names (SORT's STORE) is looked for in short requests only.
/// </summary>
internal readonly struct RequestAccesses
{
    private const KeyAccess Writing = KeyAccess.ReadWrite | KeyAccess.Overwrite | KeyAccess.Remove;
    private const int LongestSearched = 64;

    private readonly Range _first;
    private readonly Range _second;
    private readonly int _store;

    public RequestAccesses(CommandRow row, in Request request)
    {
        var spec = row.KeysIn(request);
        var isVariable = (spec.Access & KeyAccess.VariableFlags) != 0;
        _first = new Range(spec, request, isVariable ? row.AccessIn(request) : spec.Access);
        _second = new Range(row.SecondKeys, request, row.SecondKeys.Access);
        _store = request.Count <= LongestSearched ? row.StoreKey?.Invoke(request, 0) ?? 0 : 0;
    }

    /// <summary>Whether there are keys.</summary>
    public bool AreAny => _first.Count > 0;

    /// <summary>How many there are.</summary>
    public int Count => _first.Count + _second.Count + (_store > 0 ? 1 : 0);

    /// <summary>The argument that is a key.</summary>
    /// <param name="number">Which one of them.</param>
    /// <param name="isWrite">Whether the command may change it.</param>
    public int IndexOf(int number, out bool isWrite)
    {
        if (number < _first.Count)
        {
            isWrite = _first.IsWrite;
            return _first.First + (number * _first.Step);
        }

        number -= _first.Count;
        isWrite = number >= _second.Count || _second.IsWrite;
        return number < _second.Count ? _second.First + (number * _second.Step) : _store;
    }

    /// <summary>Whether an argument is a key.</summary>
    /// <param name="index">Which one.</param>
    /// <param name="isWrite">Whether the command may change it.</param>
    public bool IsKey(int index, out bool isWrite)
    {
        isWrite = true;
        if (_first.Has(index))
        {
            isWrite = _first.IsWrite;
            return true;
        }

        if (_second.Has(index))
        {
            isWrite = _second.IsWrite;
            return true;
        }

        return _store > 0 && index == _store;
    }

    /// <summary>One of the first kind of keys, by chance.</summary>
    public int Draw(Random random) => _first.First + (_first.Step * random.Next(_first.Count));

    private readonly struct Range
    {
        public Range(KeySpec spec, in Request request, KeyAccess access)
        {
            (First, var last) = spec.AreKeys ? spec.RangeOf(request) : (1, 0);
            Step = Math.Max(1, spec.Step);
            Count = last < First ? 0 : 1 + ((last - First) / Step);
            IsWrite = (access & Writing) != 0;
        }

        public int First { get; }

        public int Step { get; }

        public int Count { get; }

        public bool IsWrite { get; }

        public bool Has(int index)
            => index >= First && (index - First) % Step == 0 && (index - First) / Step < Count;
    }
}
