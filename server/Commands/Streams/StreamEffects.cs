using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>What groups' commands have done, as others repeat it: whose entries are pending by XCLAIM, what a group has
/// read by XGROUP SETID.</summary>
internal static class StreamEffects
{
    /// <summary>A consumer was made.</summary>
    public static void CreateConsumer(
        ICommandEffects effects, in Key key, StreamGroup group, StreamConsumer consumer)
    {
        effects.Begin(5, "XGROUP"u8);
        effects.Argument("CREATECONSUMER"u8);
        effects.Argument(key.Span);
        effects.Argument(group.Name);
        effects.Argument(consumer.Name);
    }

    /// <summary>What a group has read, and how many entries that are.</summary>
    public static void SetGroup(ICommandEffects effects, in Key key, StreamGroup group)
    {
        effects.Begin(7, "XGROUP"u8);
        effects.Argument("SETID"u8);
        effects.Argument(key.Span);
        effects.Argument(group.Name);
        Id(effects, group.LastId);
        effects.Argument("ENTRIESREAD"u8);
        effects.Argument(group.EntriesRead);
    }

    /// <summary>Entries are a consumer's, or, where they are no more, nobody's.</summary>
    /// <param name="effects">Who is told.</param>
    /// <param name="key">The stream's key.</param>
    /// <param name="group">The group.</param>
    /// <param name="entry">One of them, as it is pending.</param>
    /// <param name="ids">All of them, which are pending alike.</param>
    /// <param name="lastId">The last entry that the group has read.</param>
    public static void Claim(
        ICommandEffects effects,
        in Key key,
        StreamGroup group,
        in PendingEntry entry,
        ReadOnlySpan<StreamId> ids,
        StreamId lastId)
    {
        effects.Begin(13 + ids.Length, "XCLAIM"u8);
        effects.Argument(key.Span);
        effects.Argument(group.Name);
        effects.Argument(entry.Consumer.Name);
        effects.Argument("0"u8);
        foreach (var id in ids)
        {
            Id(effects, id);
        }

        effects.Argument("TIME"u8);
        effects.Argument(entry.DeliveredMs);
        effects.Argument("RETRYCOUNT"u8);
        effects.Argument(entry.Deliveries);
        effects.Argument("FORCE"u8);
        effects.Argument("JUSTID"u8);
        effects.Argument("LASTID"u8);
        Id(effects, lastId);
    }

    /// <summary>The effect's next argument, an id.</summary>
    public static void Id(ICommandEffects effects, StreamId id)
    {
        Span<byte> text = stackalloc byte[StreamIdText.MaxBytes];
        effects.Argument(text[..StreamIdText.Format(id, text)]);
    }
}
