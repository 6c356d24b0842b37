using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>
/// KEYS over data that is larger than memory: goes on from bucket to bucket, and where names must be read from the
/// device, lets the client wait and reads a bounded number of them at a time. A key that is there all the while is
/// given; one that comes or goes meanwhile may be.
/// </summary>
internal sealed class KeysPass : IDisposable
{
    private readonly ReplyWriter _names;
    private int _shard;
    private ulong _cursor;

    public KeysPass(CommandContext context)
    {
        var worker = context.Client.Worker;
        _names = new ReplyWriter(worker.Errors, worker.Budget, isSeldomUsed: true)
        {
            Protocol = context.Session.Protocol,
        };
    }

    /// <summary>Keys found so far.</summary>
    public long Found { get; private set; }

    /// <summary>Goes on as far as names are at hand, and asks for the next ones.</summary>
    /// <returns>Whether all keys were seen, or one cannot be.</returns>
    public bool Step(CommandContext context)
    {
        var pattern = context.Argument(1);
        var shards = context.Server.Shards;
        for (; _shard < shards.Count; _shard++, _cursor = 0)
        {
            if (!TryWalk(context, shards[_shard], pattern))
            {
                Ask(context, shards[_shard]);
                return false;
            }

            if (!context.HasSeenAll)
            {
                return true; // A name cannot be read: an error is answered in the next step's place.
            }
        }

        return true;
    }

    /// <summary>Writes the whole reply.</summary>
    public unsafe void Write(ReplyWriter reply)
    {
        reply.Array(Found);
        reply.Raw(new ReadOnlySpan<byte>(_names.Start, _names.Length));
    }

    /// <inheritdoc/>
    public void Dispose() => _names.Dispose();

    private bool TryWalk(CommandContext context, Shard shard, ReadOnlySpan<byte> pattern)
    {
        var walk = new KeyWalk(shard, context.Database, context.Cold, _cursor);
        do
        {
            var (length, found, misses) = (_names.Length, Found, context.Cold!.Misses);
            walk.EnterBucket();
            while (walk.TryNext(out var record))
            {
                if (GlobPattern.IsMatch(pattern, record.Key) && !record.IsExpired(context.NowMs))
                {
                    _names.Bulk(record.Key);
                    Found++;
                }
            }

            if (context.Cold.Misses != misses)
            {
                _names.Rewind(length);
                Found = found;
                return false;
            }

            _cursor = walk.Cursor;
        }
        while (_cursor != 0 && context.HasSeenAll);
        return true;
    }

    /// <summary>Asks for the names of the next buckets. Those before them were written.</summary>
    private void Ask(CommandContext context, Shard shard)
    {
        var set = context.Cold!;
        set.Clear();
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
        while (walk.Cursor != 0 && set.Misses - misses < ServerLimits.MaxColdReadsPerStep);
    }
}
