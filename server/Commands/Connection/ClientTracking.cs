using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT TRACKING &lt;ON | OFF&gt; [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN]
/// [OPTOUT] [NOLOOP]</summary>
internal static class ClientTracking
{
    public static readonly CommandRow Row = new(
        "tracking",
        -3,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.HoldsMemory,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.0.0",
        Summary = "Has the connection told of changes of the keys that it reads, which it may keep until then.",
        Differs = "Keys are tracked by database: a change of a key in another one than where it was read is not told. "
            + "SWAPDB has clients drop all they have kept. What a pipeline changes is told behind its replies. "
            + "Of a prefix 128 bytes count, and it has at most 16 KB.",
        Complexity = "O(log N) for each prefix, where N is the number of those that the connection has",
        Syntax = "<ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN] [OPTOUT] "
            + "[NOLOOP]",
    };

    private static void Execute(CommandContext context)
    {
        var session = context.Session;
        var pass = session.Unfinished as TrackingPass ?? new TrackingPass();
        if (pass.Step(context))
        {
            session.EndUnfinished();
            return;
        }

        session.Unfinished = pass;
        context.HasMore = true;
    }
}
