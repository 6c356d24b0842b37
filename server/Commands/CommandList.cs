using Strata.Server.Commands.Connection;
using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Server;
using Strata.Server.Commands.Strings;

namespace Strata.Server.Commands;

/// <summary>Every command of the server, one line each.</summary>
public static class CommandList
{
    /// <summary>The rows, by group.</summary>
    public static CommandTable Table { get; } = Number(new CommandTable(

        // Strings
        Get.Row,
        Set.Row,

        // Keys
        Del.Row,
        Exists.Row,
        Expire.Row,
        ExpireAt.Row,
        ExpireTime.Row,
        Persist.Row,
        PExpire.Row,
        PExpireAt.Row,
        PExpireTime.Row,
        PTtl.Row,
        Touch.Row,
        Ttl.Row,
        Keys.Type.Row,
        Unlink.Row,

        // Server
        Command.Row,
        Config.Row,
        FlushAll.Row,
        FlushDb.Row,
        Shutdown.Row,
        SwapDb.Row,
        Time.Row,

        // Connection
        Ping.Row));

    /// <summary>Rows and subcommand rows: one more than the largest <see cref="CommandRow.Index"/>.</summary>
    public static int RowCount { get; private set; }

    private static CommandTable Number(CommandTable table)
    {
        foreach (var row in table.Rows)
        {
            row.Register(RowCount++);
            if (row.Subcommands != null)
            {
                _ = Number(row.Subcommands);
            }
        }

        return table;
    }
}
