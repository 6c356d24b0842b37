using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Sets;

/// <summary>How the set commands get at sets: looks them up, and answers when a key holds something else.</summary>
internal static class SetAccess
{
    /// <summary>Opens a key's set to read it; a missing key is the empty set.</summary>
    /// <returns>False when the key holds another type: the error is answered.</returns>
    public static bool TryRead(CommandContext context, in Key key, out SetReader set)
    {
        var lookup = context.ReadCollection(key, RecordType.Set, out var record);
        set = lookup == Lookup.Found ? new SetReader(record) : default;
        return WrongType.Answered(context, lookup) != Lookup.WrongType;
    }

    /// <summary>Opens a key's set to change it; where there is none, the first member makes it.</summary>
    /// <returns>False when the key holds another type: the error is answered.</returns>
    public static bool TryEdit(CommandContext context, in Key key, out SetEditor set)
    {
        var lookup = context.WriteCollection(key, RecordType.Set, out var record);
        set = new SetEditor(context.ShardOf(key), key, record, LimitsOf(context));
        return WrongType.Answered(context, lookup) != Lookup.WrongType;
    }

    /// <summary>The limits in force.</summary>
    public static SetLimits LimitsOf(CommandContext context)
    {
        var options = context.Server.Configuration.Current;
        return new SetLimits(
            options.SetMaxIntsetEntries, options.SetMaxListpackEntries, options.SetMaxListpackValue);
    }
}
