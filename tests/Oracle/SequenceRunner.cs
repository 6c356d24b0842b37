using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Runs a sequence against two targets and finds the first step whose replies differ.</summary>
internal sealed class SequenceRunner(IOracleTarget actual, IOracleTarget expected)
{
    private static readonly RespValue s_nothing = RespValue.Error("(no reply) after an earlier failure");

    public string ActualName => actual.Name;

    public string ExpectedName => expected.Name;

    public Divergence? FirstDivergence(IReadOnlyList<OracleStep> steps)
    {
        var actualReplies = actual.Run(steps);
        var expectedReplies = expected.Run(steps);
        for (var i = 0; i < steps.Count; i++)
        {
            var left = i < actualReplies.Count ? actualReplies[i] : s_nothing;
            var right = i < expectedReplies.Count ? expectedReplies[i] : s_nothing;
            if (!ReplyComparer.Same(steps[i], left, right))
            {
                return new Divergence(i, left, right);
            }
        }

        return null;
    }
}
