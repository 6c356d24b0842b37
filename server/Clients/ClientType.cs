namespace Strata.Server.Clients;

/// <summary>The kinds of clients that CLIENT LIST and KILL choose by.</summary>
internal enum ClientType
{
    Normal,
    Master,
    Replica,
    PubSub,
}
