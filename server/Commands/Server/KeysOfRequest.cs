using Strata.Server.Clients;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>The keys of a command given as arguments, for COMMAND GETKEYS and GETKEYSANDFLAGS.</summary>
internal static class KeysOfRequest
{
    // The command to look at begins behind "COMMAND GETKEYS".
    private const int First = 2;

    public static void Write(CommandContext context, bool withFlags)
    {
        var row = context.Services.Commands.FindFor(context.Request.From(First));
        var count = context.Count - First;
        if (row == null)
        {
            context.Reply.Error("ERR Invalid command specified"u8);
        }
        else if (!row.Keys.AreKeys)
        {
            context.Reply.Error("ERR The command has no key arguments"u8);
        }
        else if (!row.AcceptsCount(count))
        {
            context.Reply.Error("ERR Invalid number of arguments specified for command"u8);
        }
        else if (!RequestKeys.AreCountsRight(row, context.Request.From(First)))
        {
            context.Reply.Error("ERR Invalid arguments specified for command"u8);
        }
        else
        {
            WriteKeys(context, row, withFlags);
        }
    }

    private static void WriteKeys(CommandContext context, CommandRow row, bool withFlags)
    {
        var request = context.Request.From(First);
        var count = 0;
        foreach (var _ in new RequestKeys(row, request))
        {
            count++;
        }

        context.Reply.Array(count);
        foreach (var key in new RequestKeys(row, request))
        {
            if (withFlags)
            {
                context.Reply.Array(2);
            }

            context.Reply.Bulk(request[key.Index]);
            if (withFlags)
            {
                FlagNames.Write(context, key.Access);
            }
        }
    }
}
