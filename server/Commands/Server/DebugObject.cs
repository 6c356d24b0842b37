using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG OBJECT key: where the key's record is and what it takes.</summary>
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
        => !context.TryPeek(key, out var record)
            ? ""
            : string.Create(CultureInfo.InvariantCulture,
                $"Value at:0x{record.Address:x} refcount:1 "
                + $"type:{Encoding.ASCII.GetString(TypeInfo.Of(record.Type).Name)} "
                + $"shard:{shard.Number} page:{shard.Log.PageOf(record.Address)} value_bytes:{record.ValueLength} "
                + $"record_bytes:{record.SizeBytes} flags:{(int)record.Flags} expires_ms:{record.ExpiryMs} "
                + $"frequency:{RecordUsage.ReadsInIndex(shard, key, record)}");
}
