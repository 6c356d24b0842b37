using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// KEYS over many keys, or over data that is larger than memory: goes on from bucket to bucket, a bounded number of
/// keys in each step, between which others have their turn, and where names must be read from the device, lets the
/// client wait for a bounded number of them. A key that is there all the while is given once; one that comes or goes
/// meanwhile may be.
/// </summary>
internal sealed class KeysPass : IDisposable
{
    // Of a shard whose buckets go on being merged the names are asked for so often, and then in one step.
    private const int MostRewinds = 3;

    private readonly ReplyWriter _names;
    private readonly BucketMatches _matches = new();
    private long _databases;
    private int _shard;
    private ulong _cursor;

    // Where the names of the shard begin, and what the shard was then.
    private Place _start;
    private long _merges;
    private int _rewinds;

    public KeysPass(CommandContext context)
    {
        _databases = context.Server.Databases.Version;
        _names = context.Client.Worker.CreateReply(context.Session.Protocol);
    }

    private enum Pause
    {
        None,
        Cold,
        Spent,
    }

    /// <summary>Keys found so far.</summary>
    public long Found { get; private set; }

    /// <summary>Goes on as far as names are at hand, and asks for the next ones.</summary>
    /// <returns>Whether all keys were seen, or one cannot be.</returns>
    public bool Step(CommandContext context)
    {
        var shards = context.Server.Shards;
        if (_databases != context.Server.Databases.Version)
        {
            _databases = context.Server.Databases.Version; // They may be another database's.
            Rewind(default);
            (_shard, _cursor) = (0, 0);
        }

        var left = ServerLimits.KeysAtOnce;
        var bytes = GlobMatch.EffortOf(context.Server.EffortAtOnce);
        for (; _shard < shards.Count; _shard++, _cursor = 0)
        {
            BeginShard(shards[_shard]);
            switch (Walk(context, shards[_shard], ref left, ref bytes))
            {
                case Pause.Cold:
                    Ask(context, shards[_shard]);
                    return false;
                case Pause.Spent:
                    context.HasMore = true;
                    return false;
            }

            if (!context.HasSeenAll)
            {
                return true; // A name cannot be read: an error is answered in the next step's place.
            }
        }

        return true;
    }

    /// <summary>Writes the whole reply. The names lie where they are, as another copy of many takes time.</summary>
    public void Write(ReplyWriter reply)
    {
        var middle = _names.Length;
        try
        {
            _names.Array(Found);
            _names.MoveForward(0, middle);
        }
        catch
        {
            _names.Rewind(middle); // There was no memory for the last of it, and it is tried again.
            throw;
        }

        reply.TakeFrom(_names);
    }

    /// <inheritdoc/>
    public void Dispose() => _names.Dispose();

    /// <summary>Begins a shard, or begins it anew where buckets were merged since: those that were not seen may have
    /// come to be part of others that were, and these are met again.</summary>
    private void BeginShard(Shard shard)
    {
        if (_cursor == 0)
        {
            _start = new Place(_names.Length, Found);
            _rewinds = 0;
        }
        else if (_merges != shard.Index.Merges)
        {
            Rewind(_start);
            _cursor = 0;
            _rewinds++;
        }

        _merges = shard.Index.Merges;
    }

    private Pause Walk(CommandContext context, Shard shard, ref int left, ref long bytes)
    {
        if (shard.Databases.Keys(context.Database) == 0)
        {
            return Pause.None;
        }

        var walk = new KeyWalk(shard, context.Database, context.Cold, _cursor);
        do
        {
            if (left <= 0 && _rewinds < MostRewinds)
            {
                return Pause.Spent;
            }

            var before = new Place(_names.Length, Found);
            var misses = context.Cold?.Misses;
            walk.EnterBucket();
            var isWhole = TryWriteBucket(context, ref walk, before, ref left, ref bytes);
            if (context.Cold?.Misses != misses)
            {
                Rewind(before);
                return Pause.Cold;
            }

            if (!isWhole)
            {
                Rewind(before);
                return Pause.Spent;
            }

            _cursor = walk.Cursor;
        }
        while (_cursor != 0 && context.HasSeenAll);
        return Pause.None;
    }

    /// <returns>False when it takes another step to find out which keys match.</returns>
    private bool TryWriteBucket(
        CommandContext context, ref KeyWalk walk, in Place before, ref int left, ref long bytes)
    {
        var options = ScanOptions.OfPattern(context.Argument(1));
        left--; // Empty ones take time, too.
        try
        {
            while (walk.TryNext(out var record))
            {
                left--;
                if (_matches.Matches(options, record, ref bytes) is not { } matches)
                {
                    return false;
                }

                if (matches && !record.IsExpired(context.NowMs))
                {
                    _names.Bulk(record.Key);
                    Found++;
                }
            }

            _matches.EndBucket();
            return true;
        }
        catch
        {
            Rewind(before); // There was no memory for one of them: where some is made the bucket is entered again.
            throw;
        }
    }

    private void Rewind(in Place to)
    {
        _names.Rewind(to.Length);
        Found = to.Found;
    }

    /// <summary>Asks for the names of the next buckets. Those before them were written.</summary>
    private void Ask(CommandContext context, Shard shard)
    {
        var set = context.Cold!;
        set.Clear();
        var most = ServerLimits.ColdReadsPerStep(context.Server.Shards.Budget, set);
        var misses = set.Misses;
        var walk = new KeyWalk(shard, context.Database, context.Cold, _cursor);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out _))
            {
                // Those in memory are looked at again when the others are there.
            }
        }
        while (walk.Cursor != 0 && set.Misses - misses < most);
    }

    private readonly record struct Place(int Length, long Found);
}
