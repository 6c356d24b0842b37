namespace Strata.Server.Clients.Access;

/// <summary>Why somebody is refused. Of what several selectors refuse, the highest is told.</summary>
internal enum DenialReason
{
    None,
    Command,
    Key,
    Authentication,
    Channel,
}
