using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>The syntaxes that many words without effect share.</summary>
internal static class InertSyntax
{
    public static readonly IValueSyntax YesNo = new YesNoSyntax();
    public static readonly IValueSyntax Text = new TextSyntax("text");
    public static readonly IValueSyntax Integer = new IntegerSyntax(0, int.MaxValue);
    public static readonly IValueSyntax Long = new IntegerSyntax(0, long.MaxValue);
    public static readonly IValueSyntax Port = new IntegerSyntax(0, 65535);
    public static readonly IValueSyntax Size = new MemorySyntax(0);

    /// <summary>What <c>oom-score-adj-values</c> takes: three numbers.</summary>
    public static readonly IValueSyntax OomScores = new NumbersSyntax("three numbers -2000..2000", CheckOomScores);

    private static string CheckOomScores(IReadOnlyList<long?> numbers)
    {
        if (numbers.Count != 3)
        {
            return "wrong number of arguments";
        }

        return numbers.Any(number => number is null or < -2000 or > 2000)
            ? "Invalid oom-score-adj-values, elements must be between -2000 and 2000."
            : "";
    }
}
