using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Streams;

/// <summary>XINFO GROUPS key</summary>
internal static class XInfoGroups
{
    public static readonly CommandRow Row = new("groups", 3,
        CommandFlags.ReadOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Tells of the groups of a stream.",
        Complexity = "O(N) with N groups",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !XInfo.TryStream(context, out var stream))
        {
            return;
        }

        var groups = new GroupsReply(stream);
        if (KeyPass.IsLong(context, stream.GroupCount))
        {
            ReplyPass.Begin(context, context.KeyAt(2), groups);
            return;
        }

        while (groups.TryWrite(context.Reply))
        {
        }
    }
}
