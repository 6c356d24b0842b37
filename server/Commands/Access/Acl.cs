using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Text;

namespace Strata.Server.Commands.Access;

/// <summary>ACL, the container of its subcommands.</summary>
internal static class Acl
{
    /// <summary>The flags of the subcommands that show or change users.</summary>
    public const CommandFlags AdminFlags =
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale;

    public static readonly CommandRow Row = new("acl", -2,
        CommandFlags.None,
        AclCat.Row,
        AclDelUser.Row,
        AclDryRun.Row,
        AclGenPass.Row,
        AclGetUser.Row,
        AclList.Row,
        AclLoad.Row,
        AclLog.Row,
        AclSave.Row,
        AclSetUser.Row,
        AclUsers.Row,
        AclWhoAmI.Row,
        SubcommandHelp.Row(CommandGroup.Server, "6.0.0", isRedisText: true))
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "A container of the commands about users.",
        Complexity = "Depends on the subcommand.",
        HelpLines =
        [
            "CAT [<category>]",
            "    List all commands that belong to <category>, or all command categories",
            "    when no category is specified.",
            "DELUSER <username> [<username> ...]",
            "    Delete a list of users.",
            "DRYRUN <username> <command> [<arg> ...]",
            "    Returns whether the user can execute the given command without executing the command.",
            "GETUSER <username>",
            "    Get the user's details.",
            "GENPASS [<bits>]",
            "    Generate a secure 256-bit user password. The optional `bits` argument can",
            "    be used to specify a different size.",
            "LIST",
            "    Show users details in config file format.",
            "LOAD",
            "    Reload users from the ACL file.",
            "LOG [<count> | RESET]",
            "    Show the ACL log entries.",
            "SAVE",
            "    Save the current config to the ACL file.",
            "SETUSER <username> <attribute> [<attribute> ...]",
            "    Create or modify a user with the specified attributes.",
            "USERS",
            "    List all the registered usernames.",
            "WHOAMI",
            "    Return the current connection username.",
        ],
    };

    /// <summary>Whether there is a file of users; answers Redis's error if not.</summary>
    public static bool HasFile(CommandContext context)
    {
        var isNamed = context.Server.Configuration.Current.AclFile.Length > 0;
        if (!isNamed)
        {
            context.Reply.Error(
                "ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the "
                + "ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file "
                + "set) in order to store users in the Redis configuration.");
        }

        return isNamed;
    }

    /// <summary>Refuses a subcommand that has more arguments than it takes.</summary>
    public static void RefuseCount(CommandContext context)
        => context.Reply.Error(
            $"ERR unknown subcommand or wrong number of arguments for '{EchoedArgument.Of(context.Argument(1))}'. Try "
            + "ACL HELP.");
}
