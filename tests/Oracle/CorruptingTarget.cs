using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// A server that tells lies on purpose: replies pass through a function first. Proves that the oracle test sees
/// what it should.
/// </summary>
internal sealed class CorruptingTarget(IOracleTarget inner, Func<OracleStep, RespValue, RespValue> corrupt)
    : IOracleTarget
{
    public string Name => $"corrupted {inner.Name}";

    public IReadOnlyList<RespValue> Run(IReadOnlyList<OracleStep> steps)
    {
        var replies = inner.Run(steps);
        return [.. replies.Select((reply, i) => corrupt(steps[i], reply))];
    }
}
