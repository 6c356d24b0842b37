using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Server.Resp;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Hashes;

/// <summary>HINCRBY key field increment</summary>
internal static class HIncrBy
{
    public static readonly CommandRow Row = new("hincrby", 4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Adds to a field that is an integer; a missing one counts as 0.",
        Complexity = "O(1)",
        Syntax = "key field increment",
    };

    private const int LongestInteger = 20;

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(3, out var increment) || !HashAccess.TryWrite(context, out var hash))
        {
            return;
        }

        var field = context.Argument(2);
        var value = 0L;
        if (hash.Read().TryGet(field, out var present) && !NumberParser.TryParseInt64(present, out value))
        {
            context.Reply.Error("ERR hash value is not an integer"u8);
            return;
        }

        if (!Counter.TrySum(context, value, increment, out var sum))
        {
            return;
        }

        Span<byte> text = stackalloc byte[LongestInteger];
        text = text[..NumberParser.Format(sum, text)];
        _ = hash.Set(field, text, HashAccess.LimitsOf(context), keepsExpiry: true);
        hash.End(context.Change(KeyEvent.HIncrBy));
        context.Reply.Integer(sum);
    }
}
