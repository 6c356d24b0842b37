using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Keys;

/// <summary>COPY source destination [DB destination-db] [REPLACE]</summary>
internal static class Copy
{
    private const int FirstOption = 3;

    public static readonly CommandRow Row = new("copy", -3,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "6.2.0",
        Summary = "Gives a key a copy of another key's value and expiry.",
        Differs = "A collection of 2 GB or more in its packed form is refused.",
        Complexity = "O(N) where N is the size of the value",
        Syntax = "source destination [DB destination-db] [REPLACE]",
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.Overwrite | KeyAccess.Update),
        ExtraShards = AddDestination,
    };

    private static void Execute(CommandContext context)
    {
        if (!TryParse(context, out var database, out var replace))
        {
            return;
        }

        var source = context.KeyAt(1);
        var destination = context.KeyAt(2, database);
        if (database == context.Session.Database && source.Span.SequenceEqual(destination.Span))
        {
            context.Reply.Error(Errors.SameObject);
            return;
        }

        if (KeyPass.UnderWay(context) is StringCopyPass && KeyPass.TryGoOn(context))
        {
            return;
        }

        if (!CopyPass.TryRead(context, source, out var record)
            || (context.TryWrite(destination, out var existing) && !replace))
        {
            context.Reply.Integer(0);
            return;
        }

        if (StringCopyPass.Begins(context, record, database)
            || !CopyPass.TryCopy(context, source, record, destination, out var copy))
        {
            return;
        }

        if (copy != null)
        {
            copy.Put(destination, existing, record.ExpiryMs, context.Change(KeyEvent.CopyTo));
        }
        else
        {
            RecordTransfer.Copy(
                record, context.ShardOf(destination), destination, existing, context.Change(KeyEvent.CopyTo));
        }

        context.Reply.Integer(1);
    }

    private static bool TryParse(CommandContext context, out int database, out bool replace)
    {
        database = context.Session.Database;
        replace = false;
        for (var i = FirstOption; i < context.Count; i++)
        {
            if (context.IsWord(i, "replace"u8))
            {
                replace = true;
            }
            else if (!context.IsWord(i, "db"u8) || i + 1 >= context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
            else if (!DatabaseArgument.TryRead(context, ++i, out database))
            {
                return false;
            }
        }

        return true;
    }

    private static void AddDestination(CommandContext context, IShardSet shards)
    {
        for (var i = FirstOption; i + 1 < context.Count; i++)
        {
            if (context.IsWord(i, "db"u8) && DatabaseArgument.TryParse(context, i + 1, out var database))
            {
                shards.Add(context.KeyAt(2, database));
            }
        }
    }
}
