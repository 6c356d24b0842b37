namespace Strata.Tests.Server.Journal.Files;

/// <summary>The simulated power goes.</summary>
internal sealed class PowerCutException : Exception;
