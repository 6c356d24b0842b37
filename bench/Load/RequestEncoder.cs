using Strata.Bench.Keys;

namespace Strata.Bench.Load;

/// <summary>
/// Writes requests from templates made once: a request costs a copy and the digits of its keys, and allocates nothing.
/// One thread owns an encoder.
/// </summary>
internal sealed class RequestEncoder
{
    private readonly IKeySource _keys;

    // Which template comes next, over and over.
    private readonly (CommandTemplate Template, int Times)[] _turns;
    private int _turn;
    private int _times;

    private RequestEncoder(IKeySource keys, params (CommandTemplate Template, int Times)[] turns)
    {
        _keys = keys;
        _turns = Array.FindAll(turns, turn => turn.Times > 0);
        MaxRequestBytes = turns.Max(turn => turn.Template.SizeBytes);
    }

    /// <summary>Room that <see cref="TryEncode"/> needs.</summary>
    public int MaxRequestBytes { get; }

    public static RequestEncoder Create(LoadOptions options, IKeySource keys)
    {
        if (options.Command is { } command)
        {
            var templates = CommandTemplate.ParseAll(command, options.Seed);
            return new RequestEncoder(keys, Array.ConvertAll(templates, template => (template, 1)));
        }

        const string Key = KeyName.ValuePrefix + "{key}";
        var set = Template($"SET {Key} {{data:{options.ValueSizeBytes}}}");
        var get = Template($"GET {Key}");
        if (options.LoadsOnly || options.Operation == LoadOperation.Set)
        {
            return new RequestEncoder(keys, (set, 1));
        }

        if (options.Operation == LoadOperation.Mix)
        {
            var ratio = OperationRatio.Parse(options.Ratio);
            return new RequestEncoder(keys, (set, ratio.Sets), (get, ratio.Gets));
        }

        return new RequestEncoder(keys, (options.Operation switch
        {
            LoadOperation.Get => get,
            LoadOperation.Incr => Template($"INCR {KeyName.CounterPrefix}{{key}}"),
            LoadOperation.Mget => Template("MGET" + string.Concat(Enumerable.Repeat(" " + Key, options.KeysPerMget))),
            LoadOperation.Del => Template($"DEL {Key}"),
            _ => throw new ArgumentOutOfRangeException(nameof(options)),
        }, 1));

        CommandTemplate Template(string text) => CommandTemplate.ParseAll(text, options.Seed)[0];
    }

    /// <summary>Writes the next request and says its length; false when the keys have run out.</summary>
    public bool TryEncode(Span<byte> destination, out int writtenBytes)
    {
        writtenBytes = 0;
        var (template, times) = _turns[_turn];
        if (!template.TryWrite(destination, _keys))
        {
            return false;
        }

        if (++_times == times)
        {
            _times = 0;
            _turn = _turn + 1 == _turns.Length ? 0 : _turn + 1;
        }

        writtenBytes = template.SizeBytes;
        return true;
    }
}
