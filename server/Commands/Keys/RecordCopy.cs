using Strata.Server.Notifications;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>Gives a key the value, type and expiry of another, of whatever shard and database.</summary>
internal static class RecordCopy
{
    /// <summary>Makes <paramref name="destination"/> a copy of <paramref name="source"/>. Both leases must be held.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="source">The record to copy; it must be of another key than the destination.</param>
    /// <param name="destination">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <exception cref="Strata.Storage.Memory.MemoryExhaustedException">Nothing was changed.</exception>
    public static void To(CommandContext context, in Record source, in Key destination, in Record existing)
    {
        context.ShardOf(destination).Collections.PutCopy(destination, existing, source, source.ExpiryMs);
        NotifyNew(context, destination, existing);
    }

    /// <summary>Makes <paramref name="destination"/> what the key <paramref name="source"/> was, which is gone then. A
    /// large collection that stays in its shard is handed over as it is.</summary>
    /// <param name="context">The command.</param>
    /// <param name="source">The key to move; another than the destination.</param>
    /// <param name="record">Its record.</param>
    /// <param name="destination">The key.</param>
    /// <param name="existing">The destination's record as just looked up, or a null one.</param>
    /// <exception cref="Strata.Storage.Memory.MemoryExhaustedException">Nothing was changed.</exception>
    public static void Move(
        CommandContext context, in Key source, in Record record, in Key destination, in Record existing)
    {
        var shard = context.ShardOf(source);
        if (record.IsLarge && shard == context.ShardOf(destination))
        {
            shard.Collections.HandOver(destination, existing, record);
            NotifyNew(context, destination, existing);
        }
        else
        {
            To(context, record, destination, existing);
        }

        shard.Remove(source, record);
    }

    /// <summary>Redis deletes what was there and adds the copy as a new key.</summary>
    private static void NotifyNew(CommandContext context, in Key destination, in Record existing)
    {
        if (!existing.IsNull)
        {
            context.Notify(NotificationClasses.New, "new"u8, destination);
        }
    }
}
