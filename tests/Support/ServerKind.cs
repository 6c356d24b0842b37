namespace Strata.Tests.Support;

/// <summary>Which program a black-box test runs against: ours, or Redis to prove the test's expectations.</summary>
public enum ServerKind
{
    Strata,
    Redis,
}
