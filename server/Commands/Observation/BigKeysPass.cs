using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Keyspace;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Observation;

/// <summary>Answers STRATA BIGKEYS.</summary>
internal sealed class BigKeysPass(CommandContext context, PrefixesRequest request)
    : CensusPass(context, StrataBigKeys.Row)
{
    private const int FieldsOfKey = 5;

    private LargeKeyList? _list;
    private int _next;
    private int _told;

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        if (!TryRefresh(context, ref effort))
        {
            return false;
        }

        if (_list == null)
        {
            _list = new LargeKeyList(context.Services.Censuses, request.Database);
            effort -= _list.Keys.Count / 4;
        }

        for (; _next < _list.Keys.Count && _told < request.Count; effort -= Keys.EffortPerKey)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = _list.Keys[_next++];
            if (Keys.Has(key.Bytes, key.IsWhole))
            {
                Write(context, context.Reply, key);
                _told++;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply)
    {
        reply.Map(2);
        reply.Bulk("complete-above"u8);
        reply.Integer(_list!.CompleteAbove);
        reply.Bulk("keys"u8);
        reply.Array(_told);
    }

    private static void Write(CommandContext context, ReplyWriter reply, LargeKey key)
    {
        reply.Map(FieldsOfKey);
        reply.Bulk("key"u8);
        reply.Bulk(key.Bytes);
        reply.Bulk("db"u8);
        reply.Integer(context.Server.Databases.LogicalOf(key.Database));
        reply.Bulk("length"u8);
        reply.Integer(key.Length);
        reply.Bulk("bytes"u8);
        reply.Integer(key.Size);
        reply.Bulk("on-disk"u8);
        reply.Integer(key.IsCold ? 1 : 0);
    }
}
