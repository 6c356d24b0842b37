using System.Text;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Strings;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Collections.Sets;

/// <summary>A few keys' sets in a shard, and the same as .NET's.</summary>
internal sealed class SetModel : IDisposable
{
    /// <summary>Keys.</summary>
    public const int Keys = 5;

    private readonly TestShard _test = new(pageBits: 14);
    private readonly HashSet<string>[] _expected = [.. Enumerable.Range(0, Keys).Select(_ => new HashSet<string>())];
    private readonly SetLimits _limits;
    private readonly int[] _met;

    /// <summary>Sets without members.</summary>
    /// <param name="limits">When sets change their form.</param>
    /// <param name="met">Counts the steps that met a set of each form: integers, entries, large.</param>
    public SetModel(SetLimits limits, int[] met)
    {
        _limits = limits;
        _met = met;
    }

    public long HeapBytes => _test.Shard.Collections.Heap.UsedBytes;

    /// <summary>Does it to the set and to .NET's.</summary>
    /// <returns>Whether the set said and has what it should.</returns>
    public bool Step(in SetOperation operation)
    {
        var (kind, number, other, member, seed) = operation;
        var expected = _expected[number];
        var bytes = Encoding.Latin1.GetBytes(member);
        var isRight = kind switch
        {
            SetOperationKind.Contains => Read(number).Contains(bytes) == expected.Contains(member),
            SetOperationKind.Draw => DrawsFrom(number, seed),
            SetOperationKind.Delete => Drop(number),
            SetOperationKind.StoreUnion => StoreUnion(number, other),
            SetOperationKind.Add => Edit(number).Add(bytes, 1 + (seed % 3)) == expected.Add(member),
            _ => Remove(number, member),
        };

        Note(Read(number));
        _test.Shard.Settle(0, _test.NowMs);
        return isRight && Read(number).Count == expected.Count;
    }

    /// <summary>Whether all sets have the members they should and no others.</summary>
    public bool AgreesWholly()
    {
        for (var number = 0; number < Keys; number++)
        {
            var found = new List<string>();
            foreach (var member in Read(number))
            {
                found.Add(Encoding.Latin1.GetString(member));
            }

            if (found.Count != _expected[number].Count || !_expected[number].SetEquals(found))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Deletes everything and lets the shard free it.</summary>
    public void Clear()
    {
        for (var number = 0; number < Keys; number++)
        {
            _ = Drop(number);
        }

        while (_test.Shard.Collections.HasDoomed)
        {
            _test.Shard.Settle(0, _test.NowMs);
        }
    }

    public void Dispose() => _test.Dispose();

    private Key KeyOf(int number) => _test.Keys.Make(number + 1, 8);

    private Record RecordOf(int number)
        => _test.Shard.TryGet(KeyOf(number), _test.NowMs, cold: null, out var record) ? record : default;

    private SetReader Read(int number) => new(RecordOf(number));

    private SetEditor Edit(int number) => new(_test.Shard, KeyOf(number), RecordOf(number), _limits);

    private bool Remove(int number, string member)
    {
        var set = Edit(number);
        if (set.Set.IsEmpty)
        {
            return _expected[number].Count == 0;
        }

        var isRight = set.Remove(Encoding.Latin1.GetBytes(member)) == _expected[number].Remove(member);
        set.End(TestChange.Any);
        return isRight;
    }

    private bool Drop(int number)
    {
        _expected[number].Clear();
        var record = RecordOf(number);
        if (!record.IsNull)
        {
            _test.Shard.Remove(KeyOf(number), record, TestChange.Any);
        }

        return true;
    }

    private bool DrawsFrom(int number, int seed)
    {
        Span<byte> digits = stackalloc byte[CanonicalInteger.MaxBytes];
        var set = Read(number);
        return set.IsEmpty || _expected[number].Contains(Encoding.Latin1.GetString(set.Draw(new Random(seed), digits)));
    }

    /// <summary>As SUNIONSTORE does it: the destination is one of the sources.</summary>
    private bool StoreUnion(int number, int other)
    {
        using var union = new DetachedSet(_test.Shard);
        foreach (var source in (ReadOnlySpan<int>)[number, other])
        {
            foreach (var member in Read(source))
            {
                _ = union.Add(member);
            }
        }

        _expected[number].UnionWith(_expected[other]);
        if (union.Count > 0)
        {
            union.Put(KeyOf(number), RecordOf(number), _limits, TestChange.Any);
        }

        return true;
    }

    private void Note(in SetReader set)
    {
        if (!set.IsEmpty)
        {
            _met[set.IsLarge ? 2 : set.IsIntegers ? 0 : 1]++;
        }
    }
}
