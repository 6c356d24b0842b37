using System.Buffers;
using System.IO.Pipelines;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>A client of the simulated world: sends its script, in pieces, and notes in the history what it sees.
/// </summary>
internal sealed class SimulatedClient
{
    private readonly SimulatedWorld _world;
    private readonly int _number;
    private readonly ClientScript _script;
    private readonly IDuplexPipe _pipe;
    private readonly ReplyParser _parser = new();
    private readonly Queue<Operation> _pending = new();
    private ReadOnlyMemory<byte> _unsent;
    private int _batch;
    private int _replies;

    public SimulatedClient(SimulatedWorld world, int number, ClientScript script)
    {
        _world = world;
        _number = number;
        _script = script;
        _pipe = world.Server.Connect();
    }

    /// <summary>Whether all is answered, or the connection is closed.</summary>
    public bool IsDone => IsClosed || (_batch == _script.Batches.Count && _pending.Count == 0);

    public bool IsClosed { get; private set; }

    /// <summary>Takes the replies that have come, and sends what is next.</summary>
    public void Act(Random random)
    {
        if (IsClosed)
        {
            return;
        }

        Receive();
        if (_pending.Count == 0 && _batch < _script.Batches.Count)
        {
            BeginBatch();
        }
        else if (_script.IsCutOff && _batch == _script.Batches.Count && _pending.Count > 0 && random.Next(3) == 0)
        {
            Close();
            return;
        }

        Send(random);
    }

    public void Close()
    {
        if (!IsClosed)
        {
            IsClosed = true;
            _pipe.Output.Complete();
            _pipe.Input.Complete();
        }
    }

    private void BeginBatch()
    {
        var bytes = new List<byte>();
        foreach (var scripted in _script.Batches[_batch++])
        {
            var request = scripted.At(_world.NowMs);
            var operation = new Operation(_number, request, _world.NextTime(), _world.NowMs);
            _world.History.Add(operation);
            _pending.Enqueue(operation);
            bytes.AddRange(request.Encode());
        }

        _unsent = bytes.ToArray();
    }

    private void Send(Random random)
    {
        if (_unsent.IsEmpty)
        {
            return;
        }

        var length = random.Next(3) == 0 ? 1 + random.Next(_unsent.Length) : _unsent.Length;
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
                break;
            }
        }

        while (_parser.TryTake(out var reply))
        {
            Take(reply);
        }
    }

    private void Take(RespValue reply)
    {
        _replies++;
        if (!_pending.TryPeek(out var operation))
        {
            _world.Fail($"Client {_number} gets a reply to nothing: {ReplyText.Of(reply)}");
            return;
        }

        if (_replies < operation.Request.Replies)
        {
            return;
        }

        _replies = 0;
        _ = _pending.Dequeue();
        operation.Return(Ordered(operation.Request, reply), _world.NextTime(), _world.NowMs);
    }

    /// <summary>The reply with what comes in any order put in one.</summary>
    private static RespValue Ordered(SimulatedRequest request, RespValue reply)
    {
        if (!request.IsOfSeveral)
        {
            return IsUnordered(request.Commands[0]) ? reply.Sorted(arraysToo: true) : reply;
        }

        return reply.Items.Count == 0
            ? reply
            : RespValue.Array([.. reply.Items.Select((item, i) =>
                IsUnordered(request.Commands[i]) ? item.Sorted(arraysToo: true) : item)]);
    }

    private static bool IsUnordered(string[] command) => command[0] is "SMEMBERS" or "HGETALL";
}
