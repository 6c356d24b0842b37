using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage;
using Strata.Storage.Census;

namespace Strata.Server.Commands.Observation;

/// <summary>A report of what shards know of their keys by name: has each look up all that it knows, so that what is
/// told is as it is. Keys that the client's user may not read are left out; to find that out may take long where there
/// are many patterns.</summary>
internal abstract class CensusPass : ReportPass
{
    private const int RulesPerEffort = 16;

    private readonly CommandRow _row;
    private readonly AccessUser? _user;
    private int _shard;
    private CensusRefresh _refresh;

    private protected CensusPass(CommandContext context, CommandRow row)
    {
        _row = row;
        _user = context.Session.IsOwn || context.Session.User.Current.AllowsAll ? null : context.Session.User.Current;
        EffortPerKey = 2 + ((_user?.Selectors.Sum(static selector => selector.Keys.Count) ?? 0) / RulesPerEffort);
    }

    /// <summary>What it takes to look whether a key may be told of.</summary>
    private protected long EffortPerKey { get; }

    /// <summary>Whether the client may be told of a key.</summary>
    private protected bool IsTold(ReadOnlySpan<byte> name, int length)
        => _user == null || _user.AllowsTellingOf(_row, name, isWhole: name.Length == length);

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
