namespace Strata.Tests.Support;

/// <summary>Categories of tests, for <c>--filter TestCategory=…</c>.</summary>
internal static class TestCategories
{
    /// <summary>Takes many seconds of CPU or of waiting: <c>./test.sh fast</c> leaves it out.</summary>
    public const string Long = "Long";
}
