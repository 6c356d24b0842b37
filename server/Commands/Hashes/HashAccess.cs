using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Hashes;

/// <summary>How commands get at the hash of their key: a missing one is an empty one, another type is answered with
/// Redis's error. No command sees a field whose time has come, but for those who read by number while such fields stay.
/// </summary>
internal static unsafe class HashAccess
{
    /// <summary>Looks the hash up to read it.</summary>
    /// <param name="context">The command.</param>
    /// <param name="hash">The hash.</param>
    /// <param name="mostExpired">How many fields that have expired are taken out: all, to read it by their number.
    /// Where expired keys stay (CLIENT PAUSE), so do such fields, and who reads by their number sees them, as in Redis
    /// 7.4.</param>
    /// <returns>False when the error was answered.</returns>
    public static bool TryRead(
        CommandContext context, out HashReader hash, int mostExpired = Limits.FieldsExpiredPerCommand)
    {
        var lookup = context.ReadCollection(context.Key, RecordType.Hash, out var record);
        hash = default;
        if (lookup == Lookup.Found)
        {
            var keeps = context.Shard.ExpiryHold.Holds(context.NowMs);
            context.Shard.Collections.Fields.Expire(
                context.Key, ref record, context.NowMs, keeps ? 0 : mostExpired);
            var seenAtMs = keeps && mostExpired == int.MaxValue ? 0 : context.NowMs;
            hash = record.IsNull ? default : new HashReader(record, seenAtMs);
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

        hash = new HashEditor(context.Shard, context.Key, record, context.NowMs);
        return WrongType.Answered(context, lookup) != Lookup.WrongType;
    }

    /// <summary>Up to where hashes are packed now.</summary>
    public static HashLimits LimitsOf(CommandContext context)
    {
        var options = context.Server.Configuration.Current;
        return new HashLimits(options.HashMaxListpackEntries, options.HashMaxListpackValue);
    }

    /// <summary>Answers the names of the fields of the first key, their values, or a map of both.</summary>
    public static void WriteAll(CommandContext context, bool withNames, bool withValues)
    {
        if (KeyPass.TryGoOn(context) || !TryRead(context, out var hash))
        {
            return;
        }

        var reply = context.Reply;
        if (KeyPass.IsLong(context, hash.Count, hash.Count, hash.LargeBytes))
        {
            _ = context.TryPeek(context.Key, out var record);
            var count = hash.HasExpired ? -1 : hash.Count;
            ReplyPass.Begin(
                context, context.Key, new FieldReply(record, count, withNames, withValues, context.NowMs));
            return;
        }

        if (!hash.HasExpired)
        {
            WriteHeader(reply, hash.Count, withNames && withValues);
            _ = WriteFields(reply, hash, withNames, withValues);
            return;
        }

        var start = reply.Length;
        var live = WriteFields(reply, hash, withNames, withValues);
        var middle = reply.Length;
        WriteHeader(reply, live, withNames && withValues);
        reply.MoveForward(start, middle);
    }

    /// <summary>The header of a reply with so many fields.</summary>
    public static void WriteHeader(ReplyWriter reply, long fields, bool isMap)
    {
        if (isMap)
        {
            reply.Map(fields);
        }
        else
        {
            reply.Array(fields);
        }
    }

    /// <returns>How many there were.</returns>
    private static long WriteFields(ReplyWriter reply, HashReader hash, bool withNames, bool withValues)
    {
        var written = 0L;
        if (hash.Table != null)
        {
            for (var walk = ElementTable.Walk(hash.Table); walk.TryNext(out var block);)
            {
                var field = (nint)block;
                if (!hash.IsExpired(field))
                {
                    Write(reply, hash.NameOf(field), hash.ValueOf(field), withNames, withValues);
                    written++;
                }
            }

            return written;
        }

        for (var position = 0; hash.TryNext(ref position, out var field); written++)
        {
            Write(reply, hash.NameOf(field), withValues ? hash.ValueOf(field) : default, withNames, withValues);
        }

        return written;
    }

    /// <summary>Writes a field's name, its value, or both.</summary>
    public static void Write(
        ReplyWriter reply, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, bool withNames, bool withValues)
    {
        if (withNames)
        {
            reply.Bulk(name);
        }

        if (withValues)
        {
            reply.Bulk(value);
        }
    }
}
