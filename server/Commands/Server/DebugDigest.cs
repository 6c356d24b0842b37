using System.Buffers.Binary;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Server;

/// <summary>
/// DEBUG DIGEST: one digest of all data, equal to that which Redis makes of the same data. It goes through the shards
/// one after the other, in steps between which others have their turn: keys that change meanwhile count as they are, or
/// were, when they are met. A single value is not divided.
/// </summary>
internal sealed class DebugDigest : IDisposable
{
    // The part of a second that a step takes.
    private const int StepsPerSecond = 2000;

    // Buckets that are looked at ahead where records must be read: what a step gets done, and a disk does at a time.
    private const int BucketsAhead = 12;
    private const long MostBytesAhead = Limits.ColdPartBytes / 4;

    private readonly byte[] _digest = new byte[Digest.Bytes];
    private readonly CollectionWalk _walk = new();
    private int _database;
    private int _shard;
    private ulong _cursor;

    public static void Execute(CommandContext context)
    {
        var session = context.Session;
        var pass = PassOf(context) ?? new DebugDigest(context);
        session.Unfinished = pass;
        if (!pass.Step(context, mayStop: !context.IsInTransaction))
        {
            context.Postponed = context.HasSeenAll ? Postponement.GoesOn : Postponement.None;
            return;
        }

        Span<byte> text = stackalloc byte[2 * Digest.Bytes];
        _ = Convert.TryToHexStringLower(pass._digest, text, out _);
        context.Reply.Simple(text);
        session.EndUnfinished();
    }

    /// <summary>The shard that is gone through next; all within a transaction.</summary>
    public static void AddShards(CommandContext context, IShardSet shards)
    {
        var next = PassOf(context)?._shard ?? 0;
        var isWhole = context.IsInTransaction || context.Session.Transaction.IsOpen;
        var last = isWhole ? context.Server.Shards.Count - 1 : next;
        for (; next <= last; next++)
        {
            shards.Add(next);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // It holds nothing but managed memory.
    }

    private DebugDigest(CommandContext context)
    {
        _database = -1;
        NextDatabase(context);
    }

    private static DebugDigest? PassOf(CommandContext context) => context.Session.Unfinished as DebugDigest;

    /// <summary>Goes on for half a millisecond, or to the end of a shard: the next one's lease is not held.</summary>
    /// <returns>Whether all data was seen.</returns>
    private bool Step(CommandContext context, bool mayStop)
    {
        var end = context.Clock.GetTimestamp() + (context.Clock.TimestampFrequency / StepsPerSecond);
        while (_database < context.Server.Databases.Count)
        {
            if (!TryBucket(context))
            {
                AskAhead(context);
                return false;
            }

            if (_cursor == 0 && ++_shard == context.Server.Shards.Count)
            {
                NextDatabase(context);
            }

            if (mayStop && (_cursor == 0 || context.Clock.GetTimestamp() > end))
            {
                return _database == context.Server.Databases.Count;
            }
        }

        return true;
    }

    /// <summary>Adds the keys of the next bucket.</summary>
    /// <returns>False when some must be read first: nothing was added.</returns>
    private bool TryBucket(CommandContext context)
    {
        Span<byte> digest = stackalloc byte[Digest.Bytes];
        _digest.CopyTo(digest);
        var walk = new KeyWalk(
            context.Server.Shards[_shard], context.Server.Databases.PhysicalOf(_database), context.Cold, _cursor);
        walk.EnterBucket();
        Span<byte> entry = stackalloc byte[Digest.Bytes];
        while (walk.TryNext(out var record))
        {
            if (!record.IsExpired(context.NowMs))
            {
                entry.Clear();
                var sum = new Digest(entry);
                sum.Mix(record.Key);
                ValueDigest.Add(sum, record, _walk);
                new Digest(digest).Xor(entry);
            }
        }

        if (!context.HasSeenAll)
        {
            return false;
        }

        digest.CopyTo(_digest);
        _cursor = walk.Cursor;
        return true;
    }

    /// <summary>Asks for the records of the buckets that come next, so that they are read together.</summary>
    private void AskAhead(CommandContext context)
    {
        var walk = new KeyWalk(
            context.Server.Shards[_shard], context.Server.Databases.PhysicalOf(_database), context.Cold, _cursor);
        for (var buckets = 0; buckets < BucketsAhead && context.Cold is { } cold; buckets++)
        {
            walk.EnterBucket();
            while (cold.UnreadBytes < MostBytesAhead && walk.TryNext(out _))
            {
                // What is on the device is asked for, and passed over.
            }

            if (walk.Cursor == 0 || cold.UnreadBytes >= MostBytesAhead)
            {
                return;
            }
        }
    }

    /// <summary>Goes on with the next database that has keys.</summary>
    private void NextDatabase(CommandContext context)
    {
        _shard = 0;
        while (++_database < context.Server.Databases.Count)
        {
            var physical = context.Server.Databases.PhysicalOf(_database);
            foreach (var shard in context.Server.Shards.All)
            {
                if (shard.Databases.Keys(physical) > 0)
                {
                    Span<byte> number = stackalloc byte[sizeof(int)];
                    BinaryPrimitives.WriteInt32BigEndian(number, _database);
                    new Digest(_digest).Mix(number);
                    return;
                }
            }
        }
    }
}
