using Strata.Server.Commands.Model;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// The work of one SCAN call: writes keys to the reply, and deletes expired ones, until enough were looked at. The
/// call holds the lease of the cursor's shard; each further shard is walked under its own lease, and where that is
/// taken the call ends, as a call of SCAN may anywhere.
/// </summary>
internal ref struct ScanPass
{
    // Buckets looked at per key asked for, so that a call ends also where most buckets are empty (Redis's factor).
    private const long BucketsPerKey = 10;

    // All buckets of small shards, 64 KB of memory: a small database does not take many calls.
    public const long MinBuckets = 1024;

    private readonly CommandContext _context;
    private readonly ScanOptions _options;
    private readonly byte _database;
    private readonly BucketMatches _matches;
    private long _coldLeft;
    private long _effort;

    /// <summary>A call, or a step of one.</summary>
    /// <param name="context">The command.</param>
    /// <param name="options">What is asked for.</param>
    /// <param name="matches">What is known of the keys of the bucket that the step begins with.</param>
    /// <param name="effort">How many bytes of names and pattern may be looked at.</param>
    public ScanPass(CommandContext context, ScanOptions options, BucketMatches matches, long effort)
    {
        _context = context;
        _options = options;
        _matches = matches;
        _effort = effort;
        _database = context.Database;
        KeysLeft = options.Count;
        // When it is executed again it ends at the same place, whatever is under way by then.
        _coldLeft = Math.Max(
            context.Cold?.Count ?? 0, ServerLimits.ColdReadsPerStep(context.Server.Shards.Budget, context.Cold));
        BucketsLeft = BucketsFor(options.Count);
    }

    /// <summary>Keys written to the reply.</summary>
    public long Found { get; private set; }

    /// <summary>Keys that are looked at before the call ends, about.</summary>
    public long KeysLeft { get; set; }

    /// <summary>Buckets, likewise.</summary>
    public long BucketsLeft { get; set; }

    /// <summary>Whether it has ended at a shard that another thread is at work on.</summary>
    public bool HasMetTaken { get; private set; }

    /// <summary>Whether it has ended before a bucket, of whose keys it is not known yet which match.</summary>
    public bool HasPaused { get; private set; }

    private readonly bool IsSpent => KeysLeft <= 0 || BucketsLeft <= 0 || _coldLeft <= 0;

    /// <summary>Buckets that a call looks at which asks for so many keys.</summary>
    public static long BucketsFor(long keys)
        => Math.Max(MinBuckets, Math.Min(keys, long.MaxValue / BucketsPerKey) * BucketsPerKey);

    /// <summary>Goes on from a cursor whose shard's lease is held.</summary>
    /// <returns>Where the next call goes on; the default, 0, at the end.</returns>
    public ScanCursor Run(ScanCursor cursor)
    {
        var shards = _context.Server.Shards;
        var bucket = cursor.Bucket;
        for (var number = cursor.Shard; number < shards.Count; number++, bucket = 0)
        {
            var shard = shards[number];
            if (shard.Databases.Keys(_database) == 0)
            {
                continue;
            }

            if (number == cursor.Shard)
            {
                bucket = Walk(shard, bucket);
            }
            else if (IsSpent || !TryWalkFromStart(shard, out bucket))
            {
                return new ScanCursor(number, 0);
            }

            if (bucket != 0 || HasPaused)
            {
                return new ScanCursor(number, bucket);
            }
        }

        return default;
    }

    private bool TryWalkFromStart(Shard shard, out ulong next)
    {
        next = 0;
        if (!shard.Lease.TryAcquireSpinning())
        {
            HasMetTaken = true;
            return false;
        }

        try
        {
            next = Walk(shard, bucket: 0);
        }
        finally
        {
            shard.Lease.Release();
        }

        return true;
    }

    private ulong Walk(Shard shard, ulong bucket)
    {
        var walk = new KeyWalk(shard, _database, _context.Cold, bucket);
        do
        {
            var (lookups, misses) = (_context.Cold?.Lookups ?? 0, _context.Cold?.Misses ?? 0);
            var before = walk.Cursor;
            walk.EnterBucket();
            BucketsLeft--;
            if (!TryWriteBucket(ref walk))
            {
                HasPaused = true;
                return before;
            }

            if (_context.Cold != null)
            {
                // What must be read first counts as well, so that the call ends at the same place when it was read.
                KeysLeft -= _context.Cold.Misses - misses;
                _coldLeft -= _context.Cold.Lookups - lookups;
            }
        }
        while (walk.Cursor != 0 && !IsSpent);
        return walk.Cursor;
    }

    /// <summary>Writes the keys of a bucket that are asked for.</summary>
    /// <returns>False when it takes longer to find out which those are: then none is written.</returns>
    private bool TryWriteBucket(ref KeyWalk walk)
    {
        var (start, found, keys) = (_context.Reply.Length, Found, KeysLeft);
        while (walk.TryNext(out var record))
        {
            KeysLeft--;
            if (_matches.Matches(_options, record, ref _effort) is not { } matches)
            {
                _context.Reply.Rewind(start);
                (Found, KeysLeft) = (found, keys);
                return false;
            }

            if (!matches)
            {
                continue;
            }

            if (record.IsExpired(_context.NowMs))
            {
                walk.Expire(record, _context.NowMs);
            }
            else if (_options.MatchesType(record))
            {
                _context.Reply.Bulk(record.Key);
                Found++;
            }
        }

        _matches.EndBucket();
        return true;
    }
}
