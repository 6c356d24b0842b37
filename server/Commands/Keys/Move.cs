using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Keys;

/// <summary>MOVE key db</summary>
internal static class Move
{
    private const int DatabaseIndex = 2;

    public static readonly CommandRow Row = new("move", 3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Moves a key to another database, if that has no such key.",
        Complexity = "O(1)",
        Syntax = "key db",
        ExtraShards = AddDestination,
    };

    private static void Execute(CommandContext context)
    {
        if (!DatabaseArgument.TryRead(context, DatabaseIndex, out var database))
        {
            return;
        }

        if (database == context.Session.Database)
        {
            context.Reply.Error(Errors.SameObject);
            return;
        }

        var destination = context.KeyAt(1, database);
        if (!context.TryWrite(context.Key, out var record) || context.TryWrite(destination, out var existing))
        {
            context.Reply.Integer(0);
            return;
        }

        if (CopyPass.TryMove(
            context, context.Key, record, destination, existing, KeyEvent.MoveFrom, KeyEvent.MoveTo))
        {
            context.Reply.Integer(1);
        }
    }

    private static void AddDestination(CommandContext context, IShardSet shards)
    {
        if (DatabaseArgument.TryParse(context, DatabaseIndex, out var database))
        {
            shards.Add(context.KeyAt(1, database));
        }
    }
}
