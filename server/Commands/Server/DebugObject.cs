using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Rdb;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG OBJECT key: how the key's value is kept, where its record is and what it takes. The first words are
/// Redis's.</summary>
internal static class DebugObject
{
    public static void Execute(CommandContext context)
    {
        var key = context.KeyAt(2);
        var shard = context.ShardOf(key);
        var text = Describe(context, shard, key);
        if (text.Length == 0)
        {
            context.Reply.Error(Errors.NoSuchKey);
        }
        else
        {
            context.Reply.Simple(Encoding.ASCII.GetBytes(text));
        }
    }

    private static string Describe(CommandContext context, Shard shard, Key key)
    {
        if (!context.TryPeek(key, out var record))
        {
            return "";
        }

        var idle = shard.Frequencies == null ? RecordUsage.IdleSeconds(record, context.NowMs) : 0;
        return string.Create(CultureInfo.InvariantCulture,
            $"Value at:0x{record.Address:x} refcount:1 "
            + $"encoding:{Encoding.ASCII.GetString(TypeInfo.Of(record.Type).EncodingOf(record))} "
            + $"serializedlength:{SerializedBytesOf(context, record)} lru:{record.Accessed} lru_seconds_idle:{idle} "
            + $"type:{Encoding.ASCII.GetString(TypeInfo.Of(record.Type).Name)} "
            + $"shard:{shard.Number} page:{shard.Log.PageOf(record.Address)} value_bytes:{record.ValueLength} "
            + $"record_bytes:{record.SizeBytes} flags:{(int)record.Flags} expires_ms:{record.ExpiryMs} "
            + $"frequency:{RecordUsage.ReadsInIndex(shard, key, record)}");
    }

    /// <summary>How long the value is in an RDB file, without its type, as in Redis.</summary>
    private static long SerializedBytesOf(CommandContext context, in Record record)
    {
        using var values = new RdbValueWriter(context.Server.Shards.Budget);
        using var output = new RdbOutput(context.Server.Shards.Budget);
        values.Begin(record, output, context.Server.Configuration.Current.RdbCompression);
        var bytes = 0L;
        bool isWhole;
        do
        {
            output.Clear();
            isWhole = values.Step(record, output, ServerLimits.ValueStepEffort);
            bytes += output.Length;
        }
        while (!isWhole);
        return bytes;
    }
}
