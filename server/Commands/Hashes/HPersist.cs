using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Hashes;

/// <summary>HPERSIST key FIELDS numfields field [field ...]</summary>
internal static class HPersist
{
    public static readonly CommandRow Row = new("hpersist", -5, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "7.4.0",
        Summary = "Lets fields of a hash expire no more.",
        Complexity = "O(N log M) for N fields of a hash with M that expire",
        Syntax = "key FIELDS numfields field [field ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (!HashAccess.TryWrite(context, out var hash) || !FieldList.TryParse(context, out var fields))
        {
            return;
        }

        var persisted = 0;
        context.Reply.Array(fields.Count);
        for (var i = 0; i < fields.Count; i++)
        {
            var field = context.Argument(fields.First + i);
            if (!hash.Read().TryGetExpiry(field, out var expiryMs))
            {
                context.Reply.Integer(FieldList.MissingField);
            }
            else if (expiryMs < 0)
            {
                context.Reply.Integer(FieldList.NoExpiry);
            }
            else
            {
                hash.SetExpiry(field, expiryMs: -1);
                persisted++;
                context.Reply.Integer(1);
            }
        }

        if (persisted > 0)
        {
            hash.End(context.Change(KeyEvent.HPersist));
        }
    }
}
