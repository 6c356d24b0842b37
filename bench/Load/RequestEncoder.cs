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

    // A command need not contain a key, so the keys running out does not end every load.
    private long _requestsLeft;

    private RequestEncoder(IKeySource keys, long requests, params (CommandTemplate Template, int Times)[] turns)
    {
        _keys = keys;
        _requestsLeft = requests;
        _turns = Array.FindAll(turns, turn => turn.Times > 0);
        MaxRequestBytes = turns.Max(turn => turn.Template.SizeBytes);
    }

    /// <summary>Room that <see cref="TryEncode"/> needs.</summary>
    public int MaxRequestBytes { get; }

    /// <param name="options">Which requests.</param>
    /// <param name="keys">What the keys in them are.</param>
    /// <param name="seed">Of the random numbers in the commands.</param>
    /// <param name="requests">How many there are at most.</param>
    /// <exception cref="BenchException">The options' command is wrong.</exception>
    public static RequestEncoder Create(LoadOptions options, IKeySource keys, ulong seed, long requests)
    {
        if (options.Command is { } command)
        {
            var templates = CommandTemplate.ParseAll(command, seed);
            return new RequestEncoder(keys, requests, Array.ConvertAll(templates, template => (template, 1)));
        }

        const string Key = KeyName.ValuePrefix + "{key}";
        var set = Template($"SET {Key} {{data:{options.ValueSizeBytes}}}");
        var get = Template($"GET {Key}");
        if (options.LoadsOnly || options.Operation == LoadOperation.Set)
        {
            return new RequestEncoder(keys, requests, (set, 1));
        }

        if (options.Operation == LoadOperation.Mix)
        {
            var ratio = OperationRatio.Parse(options.Ratio);
            return new RequestEncoder(keys, requests, (set, ratio.Sets), (get, ratio.Gets));
        }

        return new RequestEncoder(keys, requests, (options.Operation switch
        {
            LoadOperation.Get => get,
            LoadOperation.Incr => Template($"INCR {KeyName.CounterPrefix}{{key}}"),
            LoadOperation.Mget => Template("MGET"
                + string.Concat(Enumerable.Repeat($" {KeyName.ValuePrefix}{{next}}", options.KeysPerMget))),
            LoadOperation.Del => Template($"DEL {Key}"),
            _ => throw new ArgumentOutOfRangeException(nameof(options)),
        }, 1));

        CommandTemplate Template(string text) => CommandTemplate.ParseAll(text, seed)[0];
    }

    /// <summary>Writes the next request and says its length; false when requests or keys have run out.</summary>
    public bool TryEncode(Span<byte> destination, out int writtenBytes)
    {
        writtenBytes = 0;
        var (template, times) = _turns[_turn];
        if (_requestsLeft == 0 || !template.TryWrite(destination, _keys))
        {
            return false;
        }

        _requestsLeft--;
        if (++_times == times)
        {
            _times = 0;
            _turn = _turn + 1 == _turns.Length ? 0 : _turn + 1;
        }

        writtenBytes = template.SizeBytes;
        return true;
    }
}
