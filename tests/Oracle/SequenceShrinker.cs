using System.Diagnostics;
using System.Text;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Makes a failing sequence small: removes ever smaller chunks of steps, then single steps, then simplifies
/// arguments, keeping each change after which the servers still disagree somewhere. (Delta debugging: Zeller and
/// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 2002.)
/// </summary>
internal sealed class SequenceShrinker(SequenceRunner runner)
{
    private const int MaxRuns = 3_000;

    /// <summary>A server that stops answering costs a time limit in every run: what is left then will do.</summary>
    private static readonly TimeSpan s_maxTime = TimeSpan.FromMinutes(1);

    private readonly Stopwatch _clock = new();
    private int _runs;

    private bool IsSpent => _runs >= MaxRuns || _clock.Elapsed > s_maxTime;

    /// <summary>A sequence, no longer than the given one, on which the servers disagree too.</summary>
    public IReadOnlyList<OracleStep> Shrink(IReadOnlyList<OracleStep> failing)
    {
        _runs = 0;
        _clock.Restart();
        var best = CutAfterFailure(failing);
        best = Simplified(best, AllEndBursts);
        int before;
        do
        {
            before = Size(best);
            best = RemoveChunks(best);
            best = DropArguments(best);
            best = ReplaceArguments(best);
            best = Simplified(best, UpperCaseVerbs);
        }
        while (Size(best) < before && !IsSpent);

        return best;
    }

    private static int Size(IReadOnlyList<OracleStep> steps) =>
        steps.Sum(step => step.Commands.Sum(command => 1 + command.Arguments.Sum(argument => 1 + argument.Length)));

    private static IReadOnlyList<OracleStep> AllEndBursts(IReadOnlyList<OracleStep> steps) =>
        [.. steps.Select(step => step.WithEndsBurst(true))];

    private static IReadOnlyList<OracleStep> UpperCaseVerbs(IReadOnlyList<OracleStep> steps) =>
        [.. steps.Select(step => step.WithCommands([.. step.Commands.Select(UpperCaseVerb)]))];

    private static RespCommand UpperCaseVerb(RespCommand command) =>
        command.IsInline || command.Arguments.Count == 0
            ? command
            : new RespCommand([Encoding.Latin1.GetBytes(command.Verb), .. command.Arguments.Skip(1)]);

    private IReadOnlyList<OracleStep> CutAfterFailure(IReadOnlyList<OracleStep> steps)
    {
        var divergence = runner.FirstDivergence(steps);
        if (divergence is null)
        {
            return steps;
        }

        // What follows in the burst may be the cause.
        var failing = divergence.StepIndex;
        var end = failing + OracleBurst.Length(steps, failing);
        return Simplified(Simplified(steps, all => [.. all.Take(end)]), all => [.. all.Take(failing + 1)]);
    }

    private IReadOnlyList<OracleStep> Simplified(
        IReadOnlyList<OracleStep> steps, Func<IReadOnlyList<OracleStep>, IReadOnlyList<OracleStep>> change)
    {
        var candidate = change(steps);
        return Fails(candidate) ? candidate : steps;
    }

    private bool Fails(IReadOnlyList<OracleStep> candidate)
    {
        if (IsSpent || candidate.Count == 0)
        {
            return false;
        }

        _runs++;
        return runner.FirstDivergence(candidate) is not null;
    }

    private IReadOnlyList<OracleStep> RemoveChunks(IReadOnlyList<OracleStep> steps)
    {
        for (var size = Math.Max(1, steps.Count / 2); size >= 1; size /= 2)
        {
            for (var start = 0; start < steps.Count;)
            {
                var candidate = steps.Take(start).Concat(steps.Skip(start + size)).ToList();
                if (Fails(candidate))
                {
                    steps = candidate;
                }
                else
                {
                    start += size;
                }
            }
        }

        return steps;
    }

    private IReadOnlyList<OracleStep> DropArguments(IReadOnlyList<OracleStep> steps)
    {
        for (var i = 0; i < steps.Count; i++)
        {
            // Muted groups and scans depend on their exact shape; only plain commands are taken apart.
            if (steps[i].Kind != StepKind.Commands || steps[i].Commands.Count != 1 || steps[i].Commands[0].IsInline)
            {
                continue;
            }

            for (var a = steps[i].Commands[0].Arguments.Count - 1; a >= 1; a--)
            {
                var arguments = steps[i].Commands[0].Arguments.Where((_, index) => index != a).ToList();
                var shorter = steps[i].WithCommands([new RespCommand(arguments)]);
                steps = Simplified(steps, all => [.. all.Select((step, index) => index == i ? shorter : step)]);
            }
        }

        return steps;
    }

    /// <summary>
    /// Replaces an argument everywhere it occurs. Numbers stay: a shortened time to live would make replies depend
    /// on when they are asked for.
    /// </summary>
    private IReadOnlyList<OracleStep> ReplaceArguments(IReadOnlyList<OracleStep> steps)
    {
        var distinct = steps.SelectMany(step => step.Commands)
            .SelectMany(command => command.Arguments.Skip(1))
            .Select(Encoding.Latin1.GetString)
            .Where(argument => argument.Length > 1 && !long.TryParse(argument, out _))
            .Distinct()
            .OrderByDescending(argument => argument.Length)
            .ToList();
        foreach (var argument in distinct)
        {
            string[] simpler = ["", "a", "b", "k1", argument[..(argument.Length / 2)]];
            foreach (var replacement in simpler.Where(text => text.Length < argument.Length))
            {
                var candidate = Replace(steps, argument, replacement);
                if (Fails(candidate))
                {
                    steps = candidate;
                    break;
                }
            }
        }

        return steps;
    }

    private static IReadOnlyList<OracleStep> Replace(IReadOnlyList<OracleStep> steps, string from, string to) =>
        [.. steps.Select(step => step.WithCommands([.. step.Commands.Select(command => Replace(command, from, to))]))];

    private static RespCommand Replace(RespCommand command, string from, string to) =>
        command.IsInline
            ? command
            : new RespCommand([.. command.Arguments.Select((argument, index) =>
                index > 0 && Encoding.Latin1.GetString(argument) == from ? Encoding.Latin1.GetBytes(to) : argument)]);
}
