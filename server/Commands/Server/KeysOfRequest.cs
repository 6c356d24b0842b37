using Strata.Server.Clients;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Server;

/// <summary>The keys of a command given as arguments, for COMMAND GETKEYS and GETKEYSANDFLAGS.</summary>
internal sealed class KeysOfRequest : ReportPass
{
    // The command to look at begins behind "COMMAND GETKEYS".
    private const int First = 2;

    private readonly CommandRow _row;
    private readonly bool _withFlags;
    private RequestKeyPlace _place;
    private int _keys;

    private KeysOfRequest(CommandRow row, bool withFlags)
    {
        _row = row;
        _withFlags = withFlags;
    }

    public static void Answer(CommandContext context, bool withFlags)
    {
        CommandRow? row = null;
        if ((!context.IsInTransaction && context.Session.Unfinished is KeysOfRequest) || TryFind(context, out row))
        {
            Answer(context, _ => new KeysOfRequest(row!, withFlags));
        }
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        var reply = context.Reply;
        var request = context.Request.From(First);
        for (var keys = new RequestKeys(_row, request, _place); effort > 0;)
        {
            if (!keys.MoveNext())
            {
                return true;
            }

            var before = reply.Length;
            Write(context, request[keys.Current.Index], keys.Current.Access);
            effort -= StepEffort.Of(reply.Length - before);
            _keys++;
            _place = keys.Place;
        }

        return false;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply) => reply.Array(_keys);

    private static bool TryFind(CommandContext context, out CommandRow? row)
    {
        row = context.Services.Commands.FindFor(context.Request.From(First));
        if (row == null)
        {
            context.Reply.Error("ERR Invalid command specified"u8);
        }
        else if (!row.Keys.AreKeys)
        {
            context.Reply.Error("ERR The command has no key arguments"u8);
        }
        else if (!row.AcceptsCount(context.Count - First))
        {
            context.Reply.Error("ERR Invalid number of arguments specified for command"u8);
        }
        else if (RequestKeys.AreCountsRight(row, context.Request.From(First)))
        {
            return true;
        }
        else if (row.Has(CommandFlags.NoMandatoryKeys))
        {
            context.Reply.Array(0);
        }
        else
        {
            context.Reply.Error("ERR Invalid arguments specified for command"u8);
        }

        return false;
    }

    private void Write(CommandContext context, ReadOnlySpan<byte> key, KeyAccess access)
    {
        if (_withFlags)
        {
            context.Reply.Array(2);
        }

        context.Reply.Bulk(key);
        if (_withFlags)
        {
            FlagNames.Write(context, access);
        }
    }
}
