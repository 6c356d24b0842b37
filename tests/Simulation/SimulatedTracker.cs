using System.Buffers;
using System.IO.Pipelines;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>A client of the simulated world that keeps what it has read (CLIENT TRACKING) until it is told of a change:
/// what it keeps when nothing happens any more must be what it would read. What it does stands in no history: of what
/// others use it only reads, and what it writes to is its own.</summary>
internal sealed class SimulatedTracker
{
    private const int MostBatches = 60;
    private const int MostInBatch = 6;
    private const string OwnKey = "own";

    private static readonly string[] s_ofStrings = ["GET", "STRLEN", "EXISTS", "TYPE"];

    private readonly SimulatedWorld _world;
    private readonly SimulationPlan _plan;
    private readonly string _ownKey;
    private readonly Random _random;
    private readonly IDuplexPipe _pipe;
    private readonly ReplyParser _parser = new();
    private readonly Queue<Question> _pending = new();
    private readonly Dictionary<string, Answer> _kept = [];
    private ReadOnlyMemory<byte> _unsent;
    private int _batches;

    /// <summary>A client that has read nothing yet.</summary>
    /// <param name="world">Where it lives.</param>
    /// <param name="plan">What happens there.</param>
    /// <param name="number">Its number among its like: what it reads is decided by it.</param>
    /// <param name="mode">Behind CLIENT TRACKING.</param>
    public SimulatedTracker(SimulatedWorld world, SimulationPlan plan, int number, params string[] mode)
    {
        _world = world;
        _plan = plan;
        _ownKey = $"{OwnKey}{number}";
        _random = new Random((int)plan.Seed + number);
        _pipe = world.Server.Connect();
        Ask([new(["HELLO", "3"], []), new(["CLIENT", "TRACKING", .. mode], [])]);
    }

    /// <summary>Whether it has its answers, or the connection is closed.</summary>
    public bool IsDone => IsClosed || (_pending.Count == 0 && _unsent.IsEmpty);

    public bool IsClosed { get; private set; }

    /// <summary>Times it was told of a change of what it kept.</summary>
    public int Told { get; private set; }

    /// <summary>Whether a word is a key that one of them writes to, and nobody else.</summary>
    public static bool IsOwnKey(string word) => word.StartsWith(OwnKey, StringComparison.Ordinal);

    /// <summary>Takes what has come, and reads on while there is trouble.</summary>
    public void Act()
    {
        if (IsClosed)
        {
            return;
        }

        Receive();
        if (_pending.Count == 0 && _batches < MostBatches && _world.IsTroubled)
        {
            _batches++;
            Ask([.. Enumerable.Range(0, 1 + _random.Next(MostInBatch)).Select(_ => Next())]);
        }

        Send();
    }

    /// <summary>Reads what another one of its number keeps, and deletes what was its own.</summary>
    public void ReadAgain(SimulatedTracker other)
        => Ask(
        [
            .. other._kept.Values.Select(answer => answer.Question),
            new(["DEL", _ownKey], []),
            new(["SELECT", "1"], []), // Where it may have come by SWAPDB.
            new(["DEL", _ownKey], []),
        ]);

    /// <summary>What it keeps though another one was answered something else; null if nothing.</summary>
    public string? FirstStale(SimulatedTracker other)
        => _kept.Values
            .Where(answer => other._kept.GetValueOrDefault(answer.Question.Text) is { } now
                && !now.Reply.Equals(answer.Reply))
            .Select(answer => $"{answer.Question.Text} is kept as {ReplyText.Of(answer.Reply)}, and was "
                + ReplyText.Of(other._kept[answer.Question.Text].Reply))
            .FirstOrDefault();

    public void Close()
    {
        if (!IsClosed)
        {
            IsClosed = true;
            _kept.Clear(); // With the connection goes the right to keep anything.
            _pipe.Output.Complete();
            _pipe.Input.Complete();
        }
    }

    private Question Next()
    {
        var key = _plan.Keys[_random.Next(_plan.Keys.Count)];
        var other = _plan.Keys[_random.Next(_plan.Keys.Count)];
        return _random.Next(8) switch
        {
            0 => new(["INCR", _ownKey], []),
            1 => new(["GET", _ownKey], [_ownKey]),
            2 => new(["MGET", key, other], [key, other]),
            3 => new(["LRANGE", key, "0", "-1"], [key]),
            4 => new(["SMEMBERS", key], [key]),
            5 => new(["HGETALL", key], [key]),
            6 => new(["HGETALL", ScriptGenerator.ExpiringHash], [ScriptGenerator.ExpiringHash]),
            _ => new([s_ofStrings[_random.Next(s_ofStrings.Length)], key], [key]),
        };
    }

    private void Ask(IReadOnlyList<Question> questions)
    {
        var bytes = _unsent.ToArray().ToList();
        foreach (var question in questions)
        {
            _pending.Enqueue(question);
            bytes.AddRange(RespCommand.Of(question.Command).Encode());
        }

        _unsent = bytes.ToArray();
    }

    private void Send()
    {
        if (_unsent.IsEmpty || IsClosed)
        {
            return;
        }

        var length = _random.Next(3) == 0 ? 1 + _random.Next(_unsent.Length) : _unsent.Length;
        _pipe.Output.Write(_unsent.Span[..length]);
        _ = _pipe.Output.FlushAsync().AsTask(); // A batch is smaller than what the pipe takes: it has ended.
        _unsent = _unsent[length..];
    }

    private void Receive()
    {
        while (_pipe.Input.TryRead(out var result))
        {
            foreach (var segment in result.Buffer)
            {
                _parser.Add(segment.Span);
            }

            _pipe.Input.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                Close();
                return;
            }
        }

        while (_parser.TryTake(out var reply))
        {
            if (reply.Kind == RespKind.Push)
            {
                Forget(reply.Items[1]);
            }
            else
            {
                Keep(_pending.Dequeue(), reply);
            }
        }
    }

    private void Keep(Question question, RespValue reply)
    {
        var isWrongType = reply.IsError && reply.Text.StartsWith("WRONGTYPE", StringComparison.Ordinal);
        if (question.Keys.Count > 0 && (!reply.IsError || isWrongType))
        {
            _kept[question.Text] = new Answer(question, reply.Sorted(arraysToo: true));
        }
    }

    private void Forget(RespValue keys)
    {
        var before = _kept.Count;
        foreach (var (text, answer) in _kept)
        {
            if (keys.IsNull || answer.Question.Keys.Any(key => keys.Items.Any(told => told.Text == key)))
            {
                _kept.Remove(text);
            }
        }

        Told += before - _kept.Count;
    }

    /// <summary>A command that reads, and the keys that it reads, if its answer is to be kept.</summary>
    private sealed record Question(string[] Command, IReadOnlyList<string> Keys)
    {
        public string Text { get; } = string.Join(' ', Command);
    }

    /// <summary>What was answered.</summary>
    private sealed record Answer(Question Question, RespValue Reply);
}
