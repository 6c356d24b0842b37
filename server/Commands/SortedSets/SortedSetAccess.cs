using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.SortedSets;

/// <summary>How the commands of sorted sets come to a key's set.</summary>
internal static class SortedSetAccess
{
    /// <summary>Up to where sets stay packed.</summary>
    public static SortedSetLimits LimitsOf(CommandContext context)
    {
        var options = context.Server.Configuration.Current;
        return new SortedSetLimits(options.ZsetMaxListpackEntries, options.ZsetMaxListpackValue);
    }

    /// <summary>Looks up a set to read it. Where the key is something else, the error is answered.</summary>
    public static Lookup Read(CommandContext context, in Key key, out SortedSetReader set)
    {
        var lookup = context.ReadCollection(key, RecordType.SortedSet, out var record);
        set = lookup == Lookup.Found ? new SortedSetReader(record) : default;
        return WrongType.Answered(context, lookup);
    }

    /// <summary>Looks up a set to change it. Where the key is something else, the error is answered.</summary>
    public static Lookup Edit(CommandContext context, in Key key, out SortedSetEditor editor)
    {
        var lookup = context.WriteCollection(key, RecordType.SortedSet, out var record);
        editor = new SortedSetEditor(context.ShardOf(key), key, record, LimitsOf(context));
        return WrongType.Answered(context, lookup);
    }

    /// <summary>Makes a finished result a key's value, whatever it was before; an empty one deletes the key. Answers
    /// the number of members.</summary>
    public static void Store(
        CommandContext context, in Key key, ref SortedSetBuilder result, KeyEvent what)
    {
        var exists = context.TryWrite(key, out var existing);
        context.Reply.Integer(result.Count);
        if (result.Count > 0)
        {
            result.Put(key, existing, LimitsOf(context), context.Change(what));
        }
        else if (exists)
        {
            context.ShardOf(key).Remove(key, existing, context.Change(KeyEvent.Del));
        }
    }
}
