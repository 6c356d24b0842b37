using System.Text;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>The words COMMAND uses for flags, categories, kinds of key access and groups, in the order it gives them.
/// </summary>
internal static class FlagNames
{
    private static readonly (CommandFlags Flag, string Name)[] s_commandFlags =
    [
        (CommandFlags.Write, "write"),
        (CommandFlags.ReadOnly, "readonly"),
        (CommandFlags.DenyOom, "denyoom"),
        (CommandFlags.Admin, "admin"),
        (CommandFlags.PubSub, "pubsub"),
        (CommandFlags.NoScript, "noscript"),
        (CommandFlags.Blocking, "blocking"),
        (CommandFlags.Loading, "loading"),
        (CommandFlags.Stale, "stale"),
        (CommandFlags.SkipMonitor, "skip_monitor"),
        (CommandFlags.SkipSlowlog, "skip_slowlog"),
        (CommandFlags.Fast, "fast"),
        (CommandFlags.NoAuth, "no_auth"),
        (CommandFlags.NoMandatoryKeys, "no_mandatory_keys"),
        (CommandFlags.NoAsyncLoading, "no_async_loading"),
        (CommandFlags.NoMulti, "no_multi"),
        (CommandFlags.MovableKeys, "movablekeys"),
        (CommandFlags.AllowBusy, "allow_busy"),
    ];

    private static readonly (KeyAccess Flag, string Name)[] s_keyAccess =
    [
        (KeyAccess.ReadOnly, "RO"),
        (KeyAccess.ReadWrite, "RW"),
        (KeyAccess.Overwrite, "OW"),
        (KeyAccess.Remove, "RM"),
        (KeyAccess.Access, "access"),
        (KeyAccess.Update, "update"),
        (KeyAccess.Insert, "insert"),
        (KeyAccess.Delete, "delete"),
        (KeyAccess.VariableFlags, "variable_flags"),
        (KeyAccess.NotKey, "not_key"),
        (KeyAccess.Incomplete, "incomplete"),
    ];

    /// <summary>Writes a set of simple strings: the command's flags.</summary>
    public static void Write(CommandContext context, CommandFlags flags)
        => Write(context, s_commandFlags.Where(named => (flags & named.Flag) != 0).Select(named => named.Name));

    /// <summary>Writes a set of simple strings: what is done with a key.</summary>
    public static void Write(CommandContext context, KeyAccess access)
        => Write(context, s_keyAccess.Where(named => (access & named.Flag) != 0).Select(named => named.Name));

    /// <summary>Writes a set of simple strings: the categories with their '@'.</summary>
    public static void Write(CommandContext context, AclCategories categories)
        => Write(
            context,
            AclCategoryNames.All
                .Where(named => (categories & named.Category) != 0)
                .Select(static named => $"@{named.Name}"));

    /// <summary>Writes a set of simple strings.</summary>
    public static void Write(CommandContext context, IEnumerable<string> names)
    {
        var all = names.ToList();
        context.Reply.Set(all.Count);
        foreach (var name in all)
        {
            context.Reply.Simple(Encoding.ASCII.GetBytes(name));
        }
    }
}
