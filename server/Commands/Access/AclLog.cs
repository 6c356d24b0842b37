using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Access;

/// <summary>ACL LOG [count | RESET]</summary>
internal static class AclLog
{
    private const long UsualCount = 10;
    private const double MsPerSecond = 1000;

    public static readonly CommandRow Row = new("log", -2, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        IsReport = true,
        Summary = "Lists what users were refused lately, or forgets it.",
        Differs = "Of a key, a channel or a client's name longer than 1,024 bytes the rest is left out.",
        Complexity = "O(N) with N being the number of entries shown.",
        Syntax = "[count | RESET]",
    };

    private static void Execute(CommandContext context)
    {
        var count = UsualCount;
        if (context.Count > 3)
        {
            Acl.RefuseCount(context);
        }
        else if (context.Count == 3 && context.IsWord(2, "reset"u8))
        {
            context.Reply.Ok(); // First: it may be refused, if it is behind much else.
            context.Services.AccessLog.Reset();
        }
        else if (context.Count == 2 || context.TryInteger(2, out count))
        {
            var entries = context.Services.AccessLog.Newest(count);
            context.Reply.Array(entries.Count);
            foreach (var entry in entries)
            {
                Write(context.Reply, entry, context.Session.Worker.Worker.NowMs);
            }
        }
    }

    private static void Write(ReplyWriter reply, AccessLogEntry entry, long nowMs)
    {
        reply.Map(10);
        reply.Bulk("count"u8);
        reply.Integer(entry.Count);
        reply.Bulk("reason"u8);
        reply.Bulk(entry.Reason switch
        {
            DenialReason.Command => "command"u8,
            DenialReason.Key => "key"u8,
            DenialReason.Channel => "channel"u8,
            _ => "auth"u8,
        });
        reply.Bulk("context"u8);
        reply.Bulk(entry.Context switch
        {
            AccessContext.Script => "lua"u8,
            AccessContext.Transaction => "multi"u8,
            _ => "toplevel"u8,
        });
        reply.Bulk("object"u8);
        reply.Bulk(entry.Object);
        reply.Bulk("username"u8);
        reply.Bulk(ConfigurationText.ToBytes(entry.UserName));
        reply.Bulk("age-seconds"u8);
        reply.Double((nowMs - entry.UpdatedMs) / MsPerSecond);
        reply.Bulk("client-info"u8);
        reply.Bulk(entry.ClientInfo);
        reply.Bulk("entry-id"u8);
        reply.Integer(entry.Id);
        reply.Bulk("timestamp-created"u8);
        reply.Integer(entry.CreatedMs);
        reply.Bulk("timestamp-last-updated"u8);
        reply.Integer(entry.UpdatedMs);
    }
}
