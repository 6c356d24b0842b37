using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Rdb;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// DUMP of a large value, in steps between which the lease is given back and others have their turn. If one of them
/// changes the key, or it is frozen or made large again, the payload is begun anew; at last it is made in one go. When
/// it is whole it is the answer, whatever becomes of the key while it is copied to the reply; but not for a client that
/// is to be told of changes of what it has read, which begin with the reply.
/// </summary>
internal sealed class DumpPass : IChangeListener, IDisposable
{
    private const int MostAttempts = 4;

    // Bytes of the reply that are written in a step.
    private const int CopiedAtOnceBytes = 512 << 10;

    private readonly Shard _shard;
    private readonly byte[] _key;
    private readonly ulong _hash;
    private readonly byte _database;
    private readonly RdbValueWriter _values;
    private readonly RdbOutput _output;
    private Crc64 _crc;
    private int _summed;
    private bool _isUnderWay;
    private bool _isWhole;
    private ReplyWriter? _reply;
    private int _copied;
    private long _exchanges;
    private int _attempts;

    public DumpPass(CommandContext context)
    {
        _shard = context.Shard;
        _key = context.Key.Span.ToArray();
        _hash = context.Key.Hash;
        _database = context.Key.Database;
        _values = new RdbValueWriter(context.Session.Worker.Budget);
        _output = new RdbOutput(context.Session.Worker.Budget);
        _shard.Changes.Add(this);
    }

    /// <summary>Whether the payload is whole, and the answer to a session.</summary>
    public bool IsAnswerTo(Session session) => _isWhole && (_isUnderWay || !session.RemembersReads);

    private bool IsLastAttempt => _attempts >= MostAttempts;

    /// <summary>Whether the payload is that of the command's key: databases that change places make it another one.
    /// </summary>
    public bool IsOf(in Key key) => key.Hash == _hash && key.Database == _database && key.Span.SequenceEqual(_key);

    /// <summary>Asks for the memory of a payload, which is made first, and then becomes the reply: twice what the value
    /// takes.</summary>
    /// <param name="budget">Where.</param>
    /// <param name="valueBytes">What the value takes, about, if that is known.</param>
    /// <param name="madeBytes">Bytes of the payload that are there.</param>
    /// <exception cref="NoRoomException">Memory is at its end.</exception>
    public static void AskForRoom(MemoryBudget budget, long valueBytes, long madeBytes = 0)
    {
        var payloadBytes = Math.Max(valueBytes, madeBytes);
        var needed = (2 * payloadBytes) - madeBytes;
        if (payloadBytes > ServerLimits.MaxGatheredBytes && budget.WouldPassEndNow(needed))
        {
            throw new ReplyRefusedException(needed);
        }
    }

    /// <summary>Goes on; the lease is held.</summary>
    /// <param name="context">The command.</param>
    /// <param name="record">The key's record.</param>
    /// <returns>Whether the payload is whole.</returns>
    /// <exception cref="NoRoomException">Memory is at its end.</exception>
    public bool Step(CommandContext context, in Record record)
    {
        // A string's payload is made in one step. That of a large collection grows, and is far less than this weighs.
        var valueBytes = record.IsLarge ? 0 : ShardCollections.WeightOf(record);
        AskForRoom(context.Session.Worker.Budget, valueBytes, _output.Length);
        if (!_isUnderWay || _exchanges != _shard.Collections.Exchanges)
        {
            Begin(record);
        }

        if (!_values.Step(record, _output, IsLastAttempt ? int.MaxValue : ServerLimits.ValueStepEffort))
        {
            Sum();
            return false;
        }

        Sum();
        _output.Write(DumpFooter.Make(RdbValueWriter.VersionOf(record), _crc));
        _isWhole = true;
        return true;
    }

    /// <summary>Goes on to answer with the payload, which is whole.</summary>
    /// <returns>Whether it is answered.</returns>
    /// <exception cref="NoRoomException">There is no memory for the reply; the payload stays.</exception>
    public bool TryAnswer(CommandContext context)
    {
        _reply ??= context.Session.Worker.CreateReply(context.Reply.Protocol);
        if (_reply.Length == 0)
        {
            _reply.BeginBulk(_output.Length);
        }

        var most = IsLastAttempt && context.Client.RemembersReads ? int.MaxValue : CopiedAtOnceBytes;
        var bytes = Math.Min(most, _output.Length - _copied);
        _reply.Raw(_output.Written.Slice(_copied, bytes));
        _copied += bytes;
        if (_copied < _output.Length)
        {
            return false;
        }

        _reply.Raw("\r\n"u8);
        context.Reply.TakeFrom(_reply);
        return true;
    }

    /// <inheritdoc/>
    public void BeforeChange(in Key key, in Record record) => _isUnderWay &= !IsOf(key);

    /// <inheritdoc/>
    public void Changed(in Key key, in Record record, in Change change)
    {
        // What was changed is begun anew.
    }

    /// <inheritdoc/>
    public void BeforeClear(int database) => _isUnderWay = false;

    /// <inheritdoc/>
    public void Cleared(int database, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
        // Records and collections stay where they are.
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _shard.Changes.Remove(this);
        _values.Dispose();
        _output.Dispose();
        _reply?.Dispose();
    }

    private void Begin(in Record record)
    {
        _isUnderWay = true;
        _isWhole = false;
        _reply?.Clear();
        _copied = 0;
        _exchanges = _shard.Collections.Exchanges;
        _attempts++;
        _output.Clear();
        _summed = 0;
        _crc = default;
        _values.Begin(record, _output, compresses: true);
    }

    /// <summary>Computes the checksum of what was written.</summary>
    private void Sum()
    {
        _crc.Add(_output.Written[_summed..]);
        _summed = _output.Length;
    }
}
