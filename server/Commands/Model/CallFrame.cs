using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Model;

/// <summary>
/// What a context holds of the command that is being executed, kept while that command executes others with the same
/// context (EXEC), which may do so in their turn. Disposing gives it back. What the calls share stays in the context:
/// the client, the time, the cold records, and what is counted.
/// </summary>
internal readonly ref struct CallFrame : IDisposable
{
    private readonly CommandContext _context;
    private readonly CommandRow _row;
    private readonly Request _request;
    private readonly Key _key;
    private readonly Shard _shard;
    private readonly ReplyWriter _reply;
    private readonly long _databaseVersion;
    private readonly long _missesBefore;
    private readonly bool _isLeased;
    private readonly bool _isInTransaction;

    /// <summary>Keeps what a context holds now.</summary>
    public CallFrame(CommandContext context)
    {
        _context = context;
        _row = context.Row;
        _request = context.Request;
        _key = context.Key;
        _shard = context.Shard;
        _reply = context.Reply;
        _databaseVersion = context.DatabaseVersion;
        _missesBefore = context.MissesBefore;
        _isLeased = context.IsLeased;
        _isInTransaction = context.Client.IsInTransaction;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _context.Row = _row;
        _context.Request = _request;
        _context.Key = _key;
        _context.Shard = _shard;
        _context.Reply = _reply;
        _context.DatabaseVersion = _databaseVersion;
        _context.MissesBefore = _missesBefore;
        _context.IsLeased = _isLeased;
        _context.Client.IsInTransaction = _isInTransaction;
    }
}
