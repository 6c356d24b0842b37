using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT, the container of its subcommands.</summary>
internal static class Object
{
    public static readonly CommandRow Row = new("object", -2, CommandFlags.None,
        ObjectEncoding.Row,
        ObjectFreq.Row,
        SubcommandHelp.Row(CommandGroup.Generic, "6.2.0", AclCategories.KeySpace, isRedisText: true),
        ObjectIdleTime.Row,
        ObjectRefCount.Row)
    {
        Group = CommandGroup.Generic,
        Since = "2.2.3",
        Summary = "Tells how values are stored and used.",
        Complexity = "Depends on the subcommand.",
        HelpLines =
        [
            "ENCODING <key>",
            "    Return the kind of internal representation used in order to store the value",
            "    associated with a <key>.",
            "FREQ <key>",
            "    Return the access frequency index of the <key>. The returned integer is",
            "    proportional to the logarithm of the recent access frequency of the key.",
            "IDLETIME <key>",
            "    Return the idle time of the <key>, that is the approximated number of",
            "    seconds elapsed since the last access to the key.",
            "REFCOUNT <key>",
            "    Return the number of references of the value associated with the specified",
            "    <key>.",
        ],
    };
}
