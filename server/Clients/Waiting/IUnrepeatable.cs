namespace Strata.Server.Clients.Waiting;

/// <summary>A command that goes on step by step, and has changed something by now that it would change again if it
/// began anew: it goes on where it stands, though its client has gone.</summary>
internal interface IUnrepeatable : IDisposable;
