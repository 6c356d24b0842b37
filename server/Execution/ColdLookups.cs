using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Devices;
using Strata.Storage.Index;
using Strata.Storage.Records;

namespace Strata.Server.Execution;

/// <summary>What lies between a command and the records it needs that may be on the device alone.</summary>
internal static class ColdLookups
{
    /// <summary>Looks keys up before a command does: asks for the records that are not at hand and, so that
    /// <paramref name="thaws"/> does not hold up others, for the large collections among those that are.</summary>
    public static void Find(CommandContext context, ReadOnlySpan<Key> keys, bool thaws)
    {
        foreach (ref readonly var key in keys)
        {
            var shard = context.ShardOf(key);
            var result = shard.Find(key, context.NowMs, context.Cold, out var record);
            if (result == FindResult.Found && thaws && record.IsFrozen)
            {
                context.Cold!.Thaw(shard, key, record);
            }
        }
    }

    /// <summary>Looks at what a handler has met: takes its reply back when that was not all it needs.</summary>
    public static Attempt End(CommandContext context, in ReplySnapshot before, Attempt attempt = Attempt.Done)
    {
        var cold = context.Cold;
        if (cold == null || before.IsAllAtHand(cold))
        {
            return attempt;
        }

        before.Restore(context);
        if (cold.Misses != before.ColdMisses)
        {
            return Attempt.Cold;
        }

        TierErrors.WriteUnreadable(context.Reply, cold);
        return Attempt.Done;
    }

    /// <summary>Reads the records that a command in the midst of others has asked for, while the thread waits. What
    /// memory has no room for is refused when it is asked for again: what was read for the others cannot be given back.
    /// </summary>
    /// <returns>Whether the command is to be executed again; otherwise an error is answered.</returns>
    public static bool TryReadNow(CommandContext context)
    {
        var cold = context.Cold!;
        if (cold.ShortBytes > 0)
        {
            cold.EndShortage(isTaken: context.Session.IsLoader);
            return true;
        }

        try
        {
            cold.ReadNow();
            return true;
        }
        catch (DeviceException exception)
        {
            context.Reply.Error($"IOERR The key's record cannot be read from the disk: {exception.Message}");
            return false;
        }
    }
}
