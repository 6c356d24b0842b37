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
        var spec = new RecordSpec(destination, source.Type, source.ExpiryMs, source.Flags);
        var copy = context.ShardOf(destination).Put(destination, existing, spec, source.ValueLength);
        source.Value.CopyTo(copy.MutableValue);
        if (!existing.IsNull)
        {
            // Redis deletes what was there and adds the copy as a new key.
            context.Notify(NotificationClasses.New, "new"u8, destination);
        }
    }
}
