using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>A server that falls silent at a command, as one that hangs or died would.</summary>
internal sealed class CutOffTarget(IOracleTarget inner, string verb) : IOracleTarget
{
    public string Name => $"cut off {inner.Name}";

    public IReadOnlyList<RespValue> Run(IReadOnlyList<OracleStep> steps)
    {
        var replies = inner.Run(steps);
        var silentAt = steps.ToList().FindIndex(step => step.Commands[^1].Verb == verb);
        return silentAt < 0 ? replies : [.. replies.Take(silentAt), RespValue.Error("(no reply) cut off on purpose")];
    }
}
