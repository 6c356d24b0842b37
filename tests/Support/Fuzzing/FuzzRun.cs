using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;

namespace Strata.Tests.Support.Fuzzing;

/// <summary>
/// How long a fuzzer goes on, and from where. Each case has a seed of its own, which a failure names. Without a word it
/// tries some, always the same; FUZZ_MINUTES=n goes on for so long, from a random seed; FUZZ_SEED=n begins with that
/// one.
/// </summary>
internal static class FuzzRun
{
    /// <summary>Tries cases.</summary>
    /// <param name="cases">How many, if nothing else is said.</param>
    /// <param name="tryOne">Makes a case of random numbers and tries it.</param>
    public static void Of(int cases, Action<Random> tryOne)
    {
        var minutes = Setting("FUZZ_MINUTES");
        var first = (int?)Setting("FUZZ_SEED") ?? (minutes == null ? 1 : Environment.TickCount & int.MaxValue);
        var clock = Stopwatch.StartNew();
        var tried = 0;
        while (minutes == null ? tried < cases : clock.Elapsed.TotalMinutes < minutes)
        {
            var seed = unchecked(first + tried++);
            try
            {
                tryOne(new Random(seed));
            }
            catch (Exception failure)
            {
                throw new AssertionException($"FUZZ_SEED={seed}: {failure.Message}", failure);
            }
        }

        TestContext.Out.WriteLine($"{tried} cases from FUZZ_SEED={first}");
    }

    private static double? Setting(string name)
        => double.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out var value)
            ? value
            : null;
}
