using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Hashes;

/// <summary>How commands get at the hash of their key: a missing one is an empty one, another type is answered with
/// Redis's error. Fields whose time has come are gone before a command sees the hash.</summary>
internal static unsafe class HashAccess
{
    /// <summary>Looks the hash up to read it.</summary>
    /// <returns>False when the error was answered.</returns>
    public static bool TryRead(CommandContext context, out HashReader hash)
    {
        var lookup = context.ReadCollection(context.Key, RecordType.Hash, out var record);
        hash = default;
        if (lookup == Lookup.Found)
        {
            context.Shard.Collections.Fields.Expire(context.Key, ref record, context.NowMs);
            hash = record.IsNull ? default : new HashReader(record);
        }

        return WrongType.Answered(context, lookup) != Lookup.WrongType;
    }

    /// <summary>Looks the hash up to change it.</summary>
    /// <returns>False when the error was answered.</returns>
    public static bool TryWrite(CommandContext context, out HashEditor hash)
    {
        var lookup = context.WriteCollection(context.Key, RecordType.Hash, out var record);
        if (lookup == Lookup.Found)
        {
            context.Shard.Collections.Fields.Expire(context.Key, ref record, context.NowMs);
        }

        hash = new HashEditor(context.Shard, context.Key, record);
        return WrongType.Answered(context, lookup) != Lookup.WrongType;
    }

    /// <summary>Up to where hashes are packed now.</summary>
    public static HashLimits LimitsOf(CommandContext context)
    {
        var options = context.Server.Configuration.Current;
        return new HashLimits(options.HashMaxListpackEntries, options.HashMaxListpackValue);
    }

    /// <summary>Answers fields, values or both.</summary>
    public static void WriteAll(CommandContext context, HashReader hash, bool withNames, bool withValues)
    {
        if (hash.Table != null)
        {
            for (var walk = ElementTable.Walk(hash.Table); walk.TryNext(out var block);)
            {
                Write(context, hash, (nint)block, withNames, withValues);
            }

            return;
        }

        for (var position = 0; hash.TryNext(ref position, out var field);)
        {
            Write(context, hash, field, withNames, withValues);
        }
    }

    /// <summary>What OBJECT ENCODING says of a hash.</summary>
    public static ReadOnlySpan<byte> EncodingOf(in Record record)
        => record.IsLarge || record.IsFrozen ? "hashtable"u8 : "listpack"u8;

    private static void Write(
        CommandContext context, in HashReader hash, nint field, bool withNames, bool withValues)
    {
        if (withNames)
        {
            context.Reply.Bulk(hash.NameOf(field));
        }

        if (withValues)
        {
            context.Reply.Bulk(hash.ValueOf(field));
        }
    }
}
