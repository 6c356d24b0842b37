using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Diagnostics.Keyspace;
using Strata.Storage;
using Strata.Storage.Census;

namespace Strata.Server.Commands.Observation;

/// <summary>A report of what shards know of their keys by name: has each look up all that it knows, so that what is
/// told is as it is.</summary>
internal abstract class CensusPass : ReportPass
{
    private readonly ReportTurn _turn;
    private readonly bool _takesTurns;
    private int _shard;
    private CensusRefresh _refresh;

    private protected CensusPass(CommandContext context, CommandRow row)
    {
        _turn = context.Session.Worker.ReportTurn;
        _takesTurns = !context.IsInTransaction; // There nobody else has a turn before it is whole.
        Keys = new TellableKeys(context, row);
    }

    /// <summary>The keys that the client may be told of.</summary>
    private protected TellableKeys Keys { get; }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _turn.End(this);
        base.Dispose();
    }

    /// <summary>Goes on to have shards look up what they know, when it is this one's turn.</summary>
    /// <returns>Whether all have.</returns>
    private protected bool TryRefresh(CommandContext context, ref long effort)
    {
        if (_takesTurns && !_turn.TryTake(this, context.NowMs))
        {
            return false;
        }

        var shards = context.Server.Shards;
        while (_shard < shards.Count)
        {
            if (effort <= 0)
            {
                return false;
            }

            effort -= CensusLimits.KeysAtOnce;
            if (shards[_shard].Census.TryRefresh(ref _refresh, context.NowMs))
            {
                _shard++;
                _refresh = default;
            }
        }

        return true;
    }
}
