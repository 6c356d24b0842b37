namespace Strata.Tests.Support;

/// <summary>How long tests wait for what must happen before they say that it does not: far longer than a busy machine
/// takes, for no test is to tell how fast something is.</summary>
internal static class Patience
{
    public const int Ms = 60_000;
}
