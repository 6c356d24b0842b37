using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Something that sequences can be run against.</summary>
internal interface IOracleTarget
{
    string Name { get; }

    /// <summary>
    /// Empties the server, runs the steps on a new connection, and gives one reply per step. A server that stops
    /// answering yields a made-up error as the reply of the step that waited, and no replies after it.
    /// </summary>
    IReadOnlyList<RespValue> Run(IReadOnlyList<OracleStep> steps);
}
