namespace Strata.Server.Clients.Costs;

/// <summary>Who clients are, so that what they cost can be put together.</summary>
/// <param name="Name">CLIENT SETNAME, or its beginning.</param>
/// <param name="Library">The library's name, or its beginning.</param>
/// <param name="Address">Where they come from, without the port.</param>
/// <param name="User">The user's name, or its beginning.</param>
internal readonly record struct CostOwner(string Name, string Library, string Address, string User)
{
    /// <summary>Stands for what is another one in each.</summary>
    public const string Several = "*";

    /// <summary>Who a client is.</summary>
    public static CostOwner Of(Session session)
        => new(
            Shorten(session.Name),
            Shorten(session.LibraryName),
            Shorten(session.Address.RemoteHost),
            Shorten(Options.ConfigurationText.ToUnicode(session.User.Current.Name)));

    /// <summary>What two have in common.</summary>
    public static CostOwner Common(in CostOwner a, in CostOwner b)
        => new(
            a.Name == b.Name ? a.Name : Several,
            a.Library == b.Library ? a.Library : Several,
            a.Address == b.Address ? a.Address : Several,
            a.User == b.User ? a.User : Several);

    private static string Shorten(string name)
        => name.Length <= TrafficLimits.OwnerChars ? name : name[..TrafficLimits.OwnerChars];
}
