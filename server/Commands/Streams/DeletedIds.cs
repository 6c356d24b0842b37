using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>The ids of deleted entries, on their way to the end of a reply. They are kept in a reply of their own,
/// which
/// is charged; mostly there are none.</summary>
/// <param name="context">The command.</param>
internal ref struct DeletedIds(CommandContext context)
{
    private ReplyWriter? _ids;
    private long _count;

    /// <summary>Another one.</summary>
    public void Add(StreamId id)
    {
        _ids ??= context.Session.Worker.CreateReply(context.Reply.Protocol);
        StreamReply.Id(_ids, id);
        _count++;
    }

    /// <summary>Writes all.</summary>
    public readonly void Write(ReplyWriter reply)
    {
        reply.Array(_count);
        if (_ids != null)
        {
            reply.Copy(_ids, 0, _ids.Length);
        }
    }

    /// <summary>Gives back what they were kept in.</summary>
    public readonly void Dispose() => _ids?.Dispose();
}
