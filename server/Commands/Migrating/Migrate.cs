using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Migrating;

/// <summary>MIGRATE host port key|"" destination-db timeout [COPY] [REPLACE] [AUTH password | AUTH2 username password]
/// [KEYS key [key ...]]</summary>
internal static class Migrate
{
    public static readonly CommandRow Row = new("migrate", -6,
        CommandFlags.Write | CommandFlags.NoScript | CommandFlags.NoMulti | CommandFlags.MovableKeys
        | CommandFlags.InSteps,
        new KeySpec(3, 3, 1, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace | AclCategories.Dangerous,
        Since = "2.6.0",
        BytesPerName = ServerLimits.MigratedKeyBytes,
        Summary = "Moves keys to another server, which need not be a Strata.",
        Differs = "Only the client that sent it waits; a key that changes meanwhile is sent again, and "
            + "stays, here and there, if it changes all the time. It is not for transactions and scripts.",
        Complexity = "O(N) where N is the size of the values",
        Tips = ["nondeterministic_output"],
        Syntax = "host port key destination-db timeout [COPY] [REPLACE] "
            + "[AUTH password | AUTH2 username password] [KEYS key [key ...]]",
        ListedKeys = MigrateOptions.FindKeys,
        OptionKeys =
        [
            new("KEYS", -2, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete | KeyAccess.Incomplete)
            {
                AreMany = true,
            },
        ],
        IsSecret = MigrateOptions.IsSecret,
    };

    private static void Execute(CommandContext context)
    {
        if (!MigrateOptions.TryRead(context, out var options))
        {
            return;
        }

        var session = context.Session;
        session.AwaitAnswer();
        var migration = new Migration(
            options, context.Services.ConnectOwn(), context.Server.Shards.Budget, context.Server.Log);
        _ = migration.RunAsync(write => session.Worker.Post(() => session.Answer(write)));
    }
}
