using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>How long tests wait for what must happen before they say that it does not: far longer than a busy machine
/// takes, for no test is to tell how fast something is.</summary>
internal static class Patience
{
    public const int Ms = 60_000;

    /// <summary>Waits until something is so.</summary>
    /// <exception cref="AssertionException">It does not come about.</exception>
    public static void Await(Func<bool> isSo)
    {
        if (!SpinWait.SpinUntil(isSo, Ms))
        {
            Assert.Fail($"What is waited for does not come about within {Ms} ms");
        }
    }
}
