using System.Globalization;
using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>Seeds one after the other that a test runs.</summary>
/// <param name="First">The first.</param>
/// <param name="Count">How many.</param>
internal readonly record struct SeedRange(int First, int Count)
{
    /// <summary>Those that the environment gives, NAME_SEED the first and NAME_SEEDS how many, or else some from a
    /// random one on, which is printed.</summary>
    /// <param name="name">The name.</param>
    /// <param name="usual">How many where it is not given.</param>
    public static SeedRange FromEnvironment(string name, int usual)
    {
        var range = new SeedRange(
            Number(name + "_SEED") ?? Random.Shared.Next(int.MaxValue / 2), Number(name + "_SEEDS") ?? usual);
        TestContext.Out.WriteLine($"The first seed is {range.First}");
        return range;
    }

    /// <summary>Runs each; what fails tells its seed.</summary>
    /// <param name="name">The name, as above.</param>
    /// <param name="run">Runs one.</param>
    public void Run(string name, Action<int> run)
    {
        for (var seed = First; seed < First + Count; seed++)
        {
            try
            {
                run(seed);
            }
            catch (Exception error)
            {
                var what = error is AssertionException ? error.Message : $"{error}";
                throw new AssertionException($"{name}_SEED={seed}: {what}", error);
            }
        }
    }

    private static int? Number(string variable)
        => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : null;
}
