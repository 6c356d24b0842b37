using System.Globalization;

namespace Strata.Bench.Types;

/// <summary>The flags of <c>strata-bench resp</c> for the parts of a load.</summary>
internal static class LoadFlags
{
    private const int FillSeed = 1;
    // Another than the fill's and the measurement's: scores that come again would change nothing.
    private const int WarmUpSeed = 2;
    private const int MeasurementSeed = 3;

    public static string[] Fill(DataFill fill) =>
    [
        "--command", fill.Command, "--seed", Text(FillSeed), "--runtime", "0", "--keys", Text(fill.Requests),
        "--connections", Text(fill.Connections), "--pipeline", "50",
    ];

    /// <summary>Half as long as the measurement.</summary>
    public static string[] WarmUp(TypeLoad load, double seconds) =>
        Of(load, load.WarmUp ?? load.Command, WarmUpSeed, load.Requests / 2, seconds / 2);

    public static string[] Measurement(TypeLoad load, double seconds) =>
        Of(load, load.Command, MeasurementSeed, load.Requests, seconds);

    private static string[] Of(TypeLoad load, string command, int seed, long requests, double seconds)
    {
        string[] duration = load.Requests > 0
            ? ["--runtime", "0", "--keys", Text(requests)]
            : ["--runtime", Text(seconds)];
        return
        [
            "--command", command, "--seed", Text(seed), .. duration, "--connections", Text(load.Connections),
            "--pipeline", Text(load.Pipeline), "--subscribers", Text(load.Subscribers),
        ];
    }

    private static string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);
}
