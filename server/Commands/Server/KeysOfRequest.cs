using Strata.Server.Commands.Documentation;

namespace Strata.Server.Commands.Server;

/// <summary>The keys of a command given as arguments, for COMMAND GETKEYS and GETKEYSANDFLAGS.</summary>
internal static class KeysOfRequest
{
    // The command to look at begins behind "COMMAND GETKEYS".
    private const int First = 2;

    public static void Write(CommandContext context, bool withFlags)
    {
        var row = context.Server.Commands.Find(context.Argument(First));
        if (row?.Subcommands != null && context.Count > First + 1)
        {
            row = row.Subcommands.Find(context.Argument(First + 1));
        }

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
        else
        {
            WriteKeys(context, row, withFlags);
        }
    }

    private static void WriteKeys(CommandContext context, CommandRow row, bool withFlags)
    {
        var keys = new List<(int Index, KeyAccess Access)>();
        foreach (var spec in (KeySpec[])[row.Keys, row.SecondKeys])
        {
            var (first, last) = spec.RangeOf(context.Request.From(First));
            if (spec.CountAt > 0 && last < first)
            {
                context.Reply.Error("ERR Invalid arguments specified for command"u8);
                return;
            }

            for (var i = first; i <= last; i += Math.Max(1, spec.Step))
            {
                keys.Add((i, spec.Access));
            }
        }

        context.Reply.Array(keys.Count);
        foreach (var (index, access) in keys)
        {
            if (withFlags)
            {
                context.Reply.Array(2);
            }

            context.Reply.Bulk(context.Argument(First + index));
            if (withFlags)
            {
                FlagNames.Write(context, row.AccessOf?.Invoke(context.Request.From(First)) ?? access);
            }
        }
    }
}
