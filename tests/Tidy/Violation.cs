namespace Strata.Tests.Tidy;

/// <summary>One place that breaks a rule.</summary>
/// <param name="Path">Relative to the repository's root, with slashes.</param>
/// <param name="Line">Counted from 1.</param>
/// <param name="What">What is wrong there.</param>
internal sealed record Violation(string Path, int Line, string What)
{
    public override string ToString() => $"{Path}:{Line}: {What}";
}
