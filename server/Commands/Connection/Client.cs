using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT, the container of the commands about connections.</summary>
internal static class Client
{
    public static readonly CommandRow Row = new(
        "client",
        -2,
        CommandFlags.None,
        ClientCaching.Row,
        ClientGetName.Row,
        ClientGetRedir.Row,
        SubcommandHelp.Row(CommandGroup.Connection, "5.0.0", AclCategories.Connection),
        ClientId.Row,
        ClientInfo.Row,
        ClientKill.Row,
        ClientList.Row,
        ClientNoEvict.Row,
        ClientNoTouch.Row,
        ClientPause.Row,
        ClientReply.Row,
        ClientSetInfo.Row,
        ClientSetName.Row,
        ClientTracking.Row,
        ClientTrackingInfo.Row,
        ClientUnblock.Row,
        ClientUnpause.Row)
    {
        Group = CommandGroup.Connection,
        Since = "2.4.0",
        Summary = "A container of commands about connections.",
        Complexity = "Depends on subcommand.",
    };
}
