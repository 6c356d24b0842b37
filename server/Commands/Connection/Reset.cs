using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>RESET</summary>
internal static class Reset
{
    // How many prefixes of CLIENT TRACKING are given up before others have their turn: some tenths of a millisecond.
    private const int PrefixesAtOnce = 64;

    public static readonly CommandRow Row = new(
        "reset",
        1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.NoAuth
            | CommandFlags.Unqueued | CommandFlags.EndsTransaction | CommandFlags.AllowBusy,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.2.0",
        Summary = "Makes the connection what it was when it was new: database 0, RESP2, no name, not authenticated.",
        Complexity = "O(1)",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
    {
        var session = context.Session;
        var left = PrefixesAtOnce;
        while (session.Tracking is { } tracking && session.Worker.Tracking.TryRemovePrefix(session, tracking))
        {
            if (--left == 0)
            {
                session.Unfinished ??= new Pass();
                context.HasMore = true;
                return;
            }
        }

        session.Reset(context.Reply);
        context.Reply.Simple("RESET"u8);
    }

    /// <summary>Says that the command has begun.</summary>
    private sealed class Pass : IDisposable
    {
        /// <inheritdoc/>
        public void Dispose()
        {
            // It holds nothing.
        }
    }
}
