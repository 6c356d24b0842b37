using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]</summary>
internal static class Scan
{
    private const int FirstOption = 2;

    public static readonly CommandRow Row = new("scan", -2,
        CommandFlags.ReadOnly | CommandFlags.KeyOnly,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.8.0",
        Summary = "Goes through the keys of the selected database, some at a time.",
        Differs = "A call may give fewer keys than COUNT asks for when another thread is at work on the next ones, "
            + "when databases are exchanged meanwhile, or with storage-tier yes; a whole iteration gives what "
            + "Redis's does.",
        Complexity = "O(1) per call; O(N) with N keys in all databases for all calls of one iteration",
        Tips = ["nondeterministic_output", "request_policy:special", "response_policy:special"],
        Syntax = "cursor [MATCH pattern] [COUNT count] [TYPE type]",
        ExtraShards = AddFirstShard,
    };

    private static void Execute(CommandContext context)
    {
        var shards = context.Server.Shards;
        if (!ScanCursor.TryParse(context.Argument(1), shards, out var cursor))
        {
            context.Reply.Error(Errors.InvalidCursor);
        }
        else if (ScanOptions.TryParse(context, FirstOption, ScannedKind.Keys, out _))
        {
            ReportPass.Answer(context, context => new ScanSteps(context, cursor));
        }
    }

    private static void AddFirstShard(CommandContext context, IShardSet shards)
    {
        if (ScanSteps.UnderWay(context) is { } steps)
        {
            shards.Add(steps.Next.Shard);
        }
        else if (ScanCursor.TryParse(context.Argument(1), context.Server.Shards, out var cursor))
        {
            shards.Add(cursor.Shard);
        }
    }

    private static bool TryReadOptions(CommandContext context, out ScanOptions options)
        => ScanOptions.TryParse(context, FirstOption, ScannedKind.Keys, out options);

    /// <summary>A call over many keys, of which a part is done in each step, as if each were a call. With what is
    /// larger than memory a call ends with its first step.</summary>
    private sealed class ScanSteps : ReportPass
    {
        private readonly ShardMap _shards;
        private readonly BucketMatches _matches = new();
        private readonly long _databases;
        private long _keysLeft;
        private long _bucketsLeft;
        private long _found;

        public ScanSteps(CommandContext context, ScanCursor cursor)
        {
            Next = cursor;
            _shards = context.Server.Shards;
            _databases = context.Server.Databases.Version;
            _ = TryReadOptions(context, out var options);
            _keysLeft = options.Count;
            _bucketsLeft = ScanPass.BucketsFor(options.Count);
        }

        /// <summary>Where the next step begins.</summary>
        public ScanCursor Next { get; private set; }

        /// <summary>What the client's command has become; null where it begins.</summary>
        public static ScanSteps? UnderWay(CommandContext context)
            => context.IsInTransaction ? null : context.Session.Unfinished as ScanSteps;

        /// <inheritdoc/>
        private protected override bool TryStep(CommandContext context, long effort)
        {
            if (_databases != context.Server.Databases.Version)
            {
                return true; // Those that follow may be another database's: they are for the next call.
            }

            var bytes = GlobMatch.EffortOf(effort);
            if (context.Cold != null)
            {
                bytes = long.MaxValue; // What was read for the call is there in this step alone.
                effort = Math.Max(effort, ServerLimits.ScannedAtOnce); // It is all that the call does.
            }

            _ = TryReadOptions(context, out var options);
            var pass = new ScanPass(context, options, _matches, bytes)
            {
                KeysLeft = Math.Min(_keysLeft, effort),
                BucketsLeft = Math.Min(_bucketsLeft, Math.Max(effort, ScanPass.MinBuckets)),
            };
            var (keys, buckets) = (pass.KeysLeft, pass.BucketsLeft);
            Next = pass.Run(Next);
            _found += pass.Found;
            _keysLeft -= keys - pass.KeysLeft;
            _bucketsLeft -= buckets - pass.BucketsLeft;
            return !pass.HasPaused
                && (Next == default || _keysLeft <= 0 || _bucketsLeft <= 0 || pass.HasMetTaken || context.Cold != null);
        }

        /// <inheritdoc/>
        private protected override void WriteHeader(ReplyWriter reply)
        {
            reply.Array(2);
            reply.BulkInteger(Next.ToNumber(_shards));
            reply.Array(_found);
        }
    }
}
