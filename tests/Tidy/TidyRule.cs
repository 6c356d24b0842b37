namespace Strata.Tests.Tidy;

/// <summary>A rule that no analyzer has.</summary>
/// <param name="Name">Reads as a test's name.</param>
/// <param name="Demand">What the rule asks for, in one sentence.</param>
/// <param name="Find">Finds every place of a file that breaks it.</param>
internal sealed record TidyRule(string Name, string Demand, Func<SourceFile, IEnumerable<Violation>> Find)
{
    public override string ToString() => Name;
}
