using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage;
using Strata.Storage.Census;

namespace Strata.Server.Commands.Observation;

/// <summary>A report of what shards know of their keys by name: has each look up all that it knows, so that what is
/// told is as it is.</summary>
internal abstract class CensusPass : ReportPass
{
    private int _shard;
    private CensusRefresh _refresh;

    private protected CensusPass(CommandContext context, CommandRow row)
    {
        Keys = new TellableKeys(context, row);
    }

    /// <summary>The keys that the client may be told of.</summary>
    private protected TellableKeys Keys { get; }

    /// <summary>Goes on to have shards look up what they know.</summary>
    /// <returns>Whether all have.</returns>
    private protected bool TryRefresh(CommandContext context, ref long effort)
    {
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
