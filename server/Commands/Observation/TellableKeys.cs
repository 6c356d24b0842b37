using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Observation;

/// <summary>Of which keys a client may be told: those that its user may read. To find that out may take long where
/// there are many patterns.</summary>
internal sealed class TellableKeys
{
    private const int RulesPerEffort = 16;

    private readonly CommandRow _row;
    private readonly AccessUser? _user;

    /// <summary>What the user may be told of now.</summary>
    /// <param name="context">The client's command.</param>
    /// <param name="row">By whose rules it is decided.</param>
    public TellableKeys(CommandContext context, CommandRow row)
    {
        _row = row;
        _user = context.Session.IsOwn || context.Session.User.Current.AllowsAll ? null : context.Session.User.Current;
        EffortPerKey = 2 + ((_user?.Selectors.Sum(static selector => selector.Keys.Count) ?? 0) / RulesPerEffort);
    }

    /// <summary>What it takes to look at a key and to tell of it.</summary>
    public long EffortPerKey { get; }

    /// <summary>Whether the client may be told of a key.</summary>
    /// <param name="name">The key, or what it begins with.</param>
    /// <param name="isWhole">Whether that is all of it.</param>
    public bool Has(ReadOnlySpan<byte> name, bool isWhole)
        => _user == null || _user.AllowsTellingOf(_row, name, isWhole);
}
