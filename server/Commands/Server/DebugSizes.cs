using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG STRUCTSIZE, what a key costs beside its name and value, and SDSLEN key, what one string does: in
/// Redis's words, of Strata's own structures.</summary>
internal static class DebugSizes
{
    /// <summary>STRUCTSIZE.</summary>
    public static void Execute(CommandContext context)
        => context.Reply.Simple(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture,
            $"bits:{8 * nint.Size} record:{RecordHeader.Bytes} expiry:{sizeof(long)} indexentry:{sizeof(ulong)} "
            + $"indexbucket:{HashIndex.BucketBytes} client:{ServerLimits.BytesPerClient} ")));

    /// <summary>SDSLEN: name and value lie in one record, which has the room that the value has left over.</summary>
    public static void ExecuteForKey(CommandContext context)
    {
        var key = context.KeyAt(2);
        if (!context.TryPeek(key, out var record))
        {
            context.Reply.Error(Errors.NoSuchKey);
        }
        else if (record.Type != RecordType.String || TypeInfo.Of(record.Type).EncodingOf(record).SequenceEqual("int"u8))
        {
            context.Reply.Error("ERR Not an sds encoded string."u8);
        }
        else
        {
            context.Reply.Simple(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture,
                $"key_sds_len:{key.Length}, key_sds_avail:0, key_zmalloc: {key.Length}, "
                + $"val_sds_len:{record.ValueLength}, val_sds_avail:{record.ValueCapacity - record.ValueLength}, "
                + $"val_zmalloc: {record.SizeBytes - key.Length}")));
        }
    }
}
