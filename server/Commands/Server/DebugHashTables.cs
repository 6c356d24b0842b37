using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG HTSTATS dbid [full] and HTSTATS-KEY key [full]: how large hash tables are and what stands in them, in
/// Redis's form. All databases share the shards' indexes, and no table has those that expire, whose times stand in
/// their records.</summary>
internal static class DebugHashTables
{
    private const string Title = "Hash table 0 stats (main hash table):\n";

    /// <summary>HTSTATS.</summary>
    public static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var number))
        {
            return;
        }

        if (number < 0 || number >= context.Server.Databases.Count)
        {
            context.Reply.Error("ERR Out of range database"u8);
            return;
        }

        var database = context.Server.Databases.PhysicalOf((int)number);
        var (keys, expires, all, buckets, overflow) = (0L, 0L, 0L, 0L, 0L);
        foreach (var shard in context.Server.Shards.All)
        {
            keys += shard.Databases.Keys(database);
            expires += shard.Databases.Expires(database);
            all += shard.Index.Count;
            buckets += shard.Index.BucketCount;
            overflow += shard.Index.OverflowBucketCount;
        }

        var text = new StringBuilder("[Dictionary HT]\n");
        Describe(text, keys, buckets, overflow, IsFull(context));
        if (keys > 0 && IsFull(context))
        {
            Add(text, $" elements of all databases: {all}\n tables: {context.Server.Shards.Count}, one a shard\n");
        }

        text.Append("[Expires HT]\n").Append(Title);
        Add(text, $" no table: times stand in the keys' records\n number of elements: {expires}\n");
        Write(context, text);
    }

    /// <summary>HTSTATS-KEY.</summary>
    public static unsafe void ExecuteForKey(CommandContext context)
    {
        if (!context.TryPeek(context.KeyAt(2), out var record))
        {
            context.Reply.Error(Errors.NoSuchKey);
            return;
        }

        var table = TableOf(record, context.NowMs);
        if (table == null)
        {
            context.Reply.Error(
                "ERR The value stored at the specified key is not represented using an hash table"u8);
            return;
        }

        var text = new StringBuilder();
        Describe(text, table->Count, table->BucketCount, table->OverflowBucketCount, IsFull(context));
        Write(context, text);
    }

    private static unsafe ElementTable* TableOf(in Record record, long nowMs) => record.Type switch
    {
        RecordType.Set => new SetReader(record).Table,
        RecordType.Hash => new HashReader(record, nowMs).Table,
        RecordType.SortedSet => new SortedSetReader(record).Table,
        _ => null,
    };

    private static void Describe(StringBuilder text, long elements, long buckets, long overflow, bool isFull)
    {
        text.Append(Title);
        if (elements == 0)
        {
            text.Append("No stats available for empty dictionaries\n");
            return;
        }

        const int Entries = LinearHashing.EntriesPerBucket;
        Add(text, $" table size: {(buckets + overflow) * Entries}\n number of elements: {elements}\n");
        if (isFull)
        {
            Add(text, $" buckets: {buckets}, of {Entries} entries\n overflow buckets: {overflow}\n");
        }
    }

    private static bool IsFull(CommandContext context) => context.Count > 3 && context.IsWord(3, "full"u8);

    private static void Add(StringBuilder text, FormattableString line)
        => text.Append(line.ToString(CultureInfo.InvariantCulture));

    private static void Write(CommandContext context, StringBuilder text)
        => context.Reply.Verbatim("txt"u8, Encoding.ASCII.GetBytes(text.ToString()));
}
