using System.Globalization;
using System.Text;
using Strata.Bench.Keys;

namespace Strata.Bench.Load;

/// <summary>
/// Writes requests from templates made once: a request costs a copy and the digits of its keys, and allocates nothing.
/// One thread owns an encoder.
/// </summary>
internal sealed class RequestEncoder
{
    private readonly IKeySource _keys;
    private readonly OperationRatio _turns;
    private readonly Template _first;
    private readonly Template _second;
    private int _turn;

    private RequestEncoder(IKeySource keys, OperationRatio turns, Template first, Template second)
    {
        _keys = keys;
        _turns = turns;
        _first = first;
        _second = second;
        MaxRequestBytes = Math.Max(first.Bytes.Length, second.Bytes.Length);
    }

    /// <summary>Room that <see cref="TryEncode"/> needs.</summary>
    public int MaxRequestBytes { get; }

    public static RequestEncoder Create(LoadOptions options, IKeySource keys)
    {
        var set = Template.Of("SET", KeyName.ValuePrefix, 1, options.ValueSizeBytes);
        if (options.LoadsOnly || options.Operation == LoadOperation.Set)
        {
            return new RequestEncoder(keys, new OperationRatio(1, 0), set, set);
        }

        var get = Template.Of("GET", KeyName.ValuePrefix, 1, null);
        if (options.Operation == LoadOperation.Mix)
        {
            return new RequestEncoder(keys, OperationRatio.Parse(options.Ratio), set, get);
        }

        var template = options.Operation switch
        {
            LoadOperation.Get => get,
            LoadOperation.Incr => Template.Of("INCR", KeyName.CounterPrefix, 1, null),
            LoadOperation.Mget => Template.Of("MGET", KeyName.ValuePrefix, options.KeysPerMget, null),
            LoadOperation.Del => Template.Of("DEL", KeyName.ValuePrefix, 1, null),
            _ => throw new ArgumentOutOfRangeException(nameof(options)),
        };
        return new RequestEncoder(keys, new OperationRatio(1, 0), template, template);
    }

    /// <summary>Writes the next request and says its length; false when the keys have run out.</summary>
    public bool TryEncode(Span<byte> destination, out int writtenBytes)
    {
        writtenBytes = 0;
        var template = _turn < _turns.Sets ? _first : _second;
        template.Bytes.CopyTo(destination);
        foreach (var offset in template.DigitOffsets)
        {
            if (!_keys.TryNext(out var key))
            {
                return false;
            }

            KeyName.WriteDigits(destination[offset..], key);
        }

        _turn = _turn + 1 == _turns.Sets + _turns.Gets ? 0 : _turn + 1;
        writtenBytes = template.Bytes.Length;
        return true;
    }

    private sealed record Template(byte[] Bytes, int[] DigitOffsets)
    {
        public static Template Of(string verb, string prefix, int keyCount, int? valueSizeBytes)
        {
            var head = new StringBuilder();
            var parts = 1 + keyCount + (valueSizeBytes is null ? 0 : 1);
            head.Append(CultureInfo.InvariantCulture, $"*{parts}\r\n${verb.Length}\r\n{verb}\r\n");
            var offsets = new int[keyCount];
            for (var i = 0; i < keyCount; i++)
            {
                head.Append(CultureInfo.InvariantCulture, $"${KeyName.SizeBytes}\r\n{prefix}");
                offsets[i] = head.Length;
                head.Append('0', KeyName.DigitCount).Append("\r\n");
            }

            if (valueSizeBytes is { } size)
            {
                head.Append(CultureInfo.InvariantCulture, $"${size}\r\n").Append(Value(size)).Append("\r\n");
            }

            return new Template(Encoding.ASCII.GetBytes(head.ToString()), offsets);
        }

        // Letters that do not compress or repeat, as far as a server could tell.
        private static char[] Value(int sizeBytes)
        {
            var random = new SplitMix64(0);
            var value = new char[sizeBytes];
            foreach (ref var letter in value.AsSpan())
            {
                letter = (char)('a' + random.NextBelow(26));
            }

            return value;
        }
    }
}
