using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Scripting;

namespace Strata.Server.Commands.Scripting;

/// <summary>SCRIPT EXISTS</summary>
internal static class ScriptExists
{
    public static readonly CommandRow Row = new("exists", -3,
        CommandFlags.NoScript, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        IsReport = true,
        Summary = "Tells which scripts are kept.",
        Complexity = "O(N) where N is the number of scripts asked for",
        Syntax = "sha1 [sha1 ...]",
        Tips = ["request_policy:all_shards", "response_policy:agg_logical_and"],
    };

    private static void Execute(CommandContext context)
        => NamesPass.Answer(context, first: 2, Write, static (reply, count) => reply.Array(count));

    private static bool Write(CommandContext context, int index)
    {
        var isThere = ScriptId.TryParse(context.Argument(index), out var id)
            && context.Services.Scripts.Cache.TryFind(id, out _);
        context.Reply.Integer(isThere ? 1 : 0);
        return true;
    }
}
