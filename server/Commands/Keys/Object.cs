using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT, the container of its subcommands.</summary>
internal static class Object
{
    public static readonly CommandRow Row = new("object", -2, CommandFlags.None,
        ObjectEncoding.Row, ObjectFreq.Row, SubcommandHelp.Row(CommandGroup.Generic, "6.2.0", AclCategories.KeySpace),
        ObjectIdleTime.Row, ObjectRefCount.Row)
    {
        Group = CommandGroup.Generic,
        Since = "2.2.3",
        Summary = "Tells how values are stored and used.",
        Complexity = "Depends on the subcommand.",
    };
}
