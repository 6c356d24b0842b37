using System.Buffers.Binary;
using System.Text;
using Strata.Server.Rdb;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Rdb;

/// <summary>Writes streams in RDB as Redis does: nodes with deleted entries, groups, consumers, what is pending.
/// </summary>
internal sealed class StreamPayload
{
    private readonly Random _random;
    private readonly byte _type;
    private readonly int _longest;
    private readonly PayloadBuilder _payload;
    private readonly List<(ulong Ms, ulong Seq)> _ids = [];
    private ulong _ms;
    private ulong _seq;

    private StreamPayload(Random random, byte type, int longest)
    {
        _random = random;
        _type = type;
        _longest = longest;
        _payload = new PayloadBuilder(type);
        _ms = (ulong)random.NextInt64(1L << random.Next(1, 62));
        _seq = (ulong)random.Next(3);
    }

    /// <summary>A stream without the footer of a payload.</summary>
    /// <param name="random">What decides.</param>
    /// <param name="type">15, 19 or 21: which version wrote it.</param>
    /// <param name="nodes">How many nodes.</param>
    /// <param name="groups">How many groups.</param>
    /// <param name="longest">The longest value.</param>
    public static byte[] Make(Random random, byte type, int nodes, int groups, int longest = 30)
    {
        var stream = new StreamPayload(random, type, longest);
        stream.Write(nodes, groups);
        return stream._payload.Bytes;
    }

    private void Write(int nodes, int groups)
    {
        Number((ulong)nodes);
        for (; nodes > 0; nodes--)
        {
            WriteNode(_random.Next(1, 30));
        }

        Number((ulong)_ids.Count);
        var last = (Ms: _ms + (ulong)_random.Next(2), Seq: _seq);
        Id(last);
        if (_type != RdbType.Stream)
        {
            Id(_ids.Count == 0 ? default : _ids[0]);
            Id(_random.Next(2) == 0 || _ids.Count == 0 ? default : _ids[_random.Next(_ids.Count)]);
            Number((ulong)(_ids.Count + _random.Next(5)));
        }

        Number((ulong)groups);
        for (; groups > 0; groups--)
        {
            WriteGroup($"group {groups:D3}");
        }
    }

    private void WriteNode(int entries)
    {
        Advance();
        var first = (_ms, _seq);
        using var output = new RdbOutput(new MemoryBudget());
        ListpackWriter.Begin(output);
        var deleted = Enumerable.Range(0, entries).Select(_ => _random.Next(5) == 0).ToArray();
        deleted[_random.Next(entries)] = false;
        string[] fields = [.. Enumerable.Range(0, _random.Next(1, 4)).Select(i => $"field{i}")];
        ListpackWriter.Add(output, deleted.Count(isDeleted => !isDeleted));
        ListpackWriter.Add(output, deleted.Count(isDeleted => isDeleted));
        ListpackWriter.Add(output, fields.Length);
        fields.ToList().ForEach(field => ListpackWriter.Add(output, Encoding.ASCII.GetBytes(field)));
        ListpackWriter.Add(output, 0);
        var elements = 4 + fields.Length;
        foreach (var isDeleted in deleted)
        {
            elements += WriteEntry(output, fields, isDeleted, first);
            if (!isDeleted)
            {
                _ids.Add((_ms, _seq));
            }

            Advance();
        }

        ListpackWriter.Finish(output, elements);
        _payload.String(RawId(first)).String(output.Written.ToArray());
    }

    private int WriteEntry(RdbOutput output, string[] fields, bool isDeleted, (ulong Ms, ulong Seq) first)
    {
        var isSame = _random.Next(4) > 0;
        var count = isSame ? fields.Length : _random.Next(1, 5);
        ListpackWriter.Add(output, (isSame ? 2 : 0) + (isDeleted ? 1 : 0));
        ListpackWriter.Add(output, (long)(_ms - first.Ms));
        ListpackWriter.Add(output, (long)(_seq - first.Seq));
        var elements = 3 + count;
        if (!isSame)
        {
            ListpackWriter.Add(output, count);
            elements += 1 + count;
        }

        for (var i = 0; i < count; i++)
        {
            if (!isSame)
            {
                ListpackWriter.Add(output, Encoding.ASCII.GetBytes($"own{_random.Next(5)}"));
            }

            ListpackWriter.Add(output, RandomValue.Text(_random, _random.Next(_longest)));
        }

        ListpackWriter.Add(output, elements);
        return elements + 1;
    }

    private void WriteGroup(string name)
    {
        _payload.String(Encoding.ASCII.GetBytes(name));
        Id(_ids.Count == 0 ? default : _ids[_random.Next(_ids.Count)]);
        if (_type != RdbType.Stream)
        {
            Number(_random.Next(3) == 0 ? ulong.MaxValue : (ulong)_random.Next(100));
        }

        var pending = _ids.Where(_ => _random.Next(2) == 0).ToList();
        var consumers = pending.Count == 0 ? _random.Next(2) : _random.Next(1, 5);
        Number((ulong)pending.Count);
        foreach (var id in pending)
        {
            _payload.Raw(RawId(id)).Int64(1_700_000_000_000 + _random.Next(1_000_000));
            Number((ulong)_random.Next(1, 100));
        }

        Number((ulong)consumers);
        for (var i = 0; i < consumers; i++)
        {
            var seen = 1_700_000_000_000 + _random.Next(1_000_000);
            _payload.String(Encoding.ASCII.GetBytes($"consumer{i}")).Int64(seen);
            if (_type == RdbType.Stream3)
            {
                _payload.Int64(_random.Next(3) == 0 ? -1 : seen - _random.Next(2));
            }

            var own = pending.Where((_, at) => at % consumers == i).ToList();
            Number((ulong)own.Count);
            own.ForEach(id => _payload.Raw(RawId(id)));
        }
    }

    private void Advance()
    {
        switch (_random.Next(4))
        {
            case 0:
                _ms += (ulong)_random.NextInt64(1, 1L << _random.Next(1, 30));
                _seq = (ulong)_random.Next(2);
                break;
            case 1:
                _ms++;
                _seq = 0;
                break;
            default:
                _seq++;
                break;
        }
    }

    private void Id((ulong Ms, ulong Seq) id)
    {
        Number(id.Ms);
        Number(id.Seq);
    }

    private void Number(ulong number)
    {
        Span<byte> bytes = stackalloc byte[RdbFormat.LengthBytes];
        _payload.Raw(bytes[..RdbFormat.WriteLength(bytes, number)].ToArray());
    }

    private static byte[] RawId((ulong Ms, ulong Seq) id)
    {
        var bytes = new byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, id.Ms);
        BinaryPrimitives.WriteUInt64BigEndian(bytes.AsSpan(8), id.Seq);
        return bytes;
    }
}
