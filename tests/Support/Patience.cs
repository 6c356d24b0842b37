using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>How long tests wait for what must happen before they say that it does not: far longer than a busy machine
/// takes, for no test is to tell how fast something is.</summary>
internal static class Patience
{
    public const int Ms = 60_000;

    /// <summary>Waits until something is so.</summary>
    /// <param name="isSo">Looks.</param>
    /// <param name="state">Tells what is there instead, at the end.</param>
    /// <exception cref="AssertionException">It does not come about.</exception>
    public static void Await(Func<bool> isSo, Func<string>? state = null)
    {
        if (!SpinWait.SpinUntil(isSo, Ms))
        {
            Assert.Fail($"What is waited for does not come about within {Ms} ms. {state?.Invoke()}");
        }
    }
}
