using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Sets;

/// <summary>SADD key member [member ...]</summary>
internal static class SAdd
{
    private const int FirstMember = 2;

    public static readonly CommandRow Row = new("sadd", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Adds members to a set; a missing key becomes one.",
        Complexity = "O(N) for N members",
        Syntax = "key member [member ...]",
    };

    private static void Execute(CommandContext context)
    {
        var isLong = AdditionPass.HasMany(context);
        if ((isLong && KeyPass.TryGoOn(context)) || !SetAccess.TryEdit(context, context.Key, out var set))
        {
            return;
        }

        var members = context.Count - FirstMember;
        set.Expect(members);
        if (isLong && SetAdditionPass.Begins(context, FirstMember))
        {
            return;
        }

        var added = 0;
        for (var i = FirstMember; i < context.Count; i++)
        {
            added += set.Add(context.Argument(i), members) ? 1 : 0;
        }

        if (added > 0)
        {
            set.End(context.Change(KeyEvent.SAdd));
        }

        context.Reply.Integer(added);
    }
}
