using CommandLine;
using Strata.Bench.Charts;
using Strata.Bench.Cores;
using Strata.Bench.Device;
using Strata.Bench.Disk;
using Strata.Bench.Durability;
using Strata.Bench.HitRatio;
using Strata.Bench.Kv;
using Strata.Bench.Load;
using Strata.Bench.Micro;
using Strata.Bench.Observability;
using Strata.Bench.Reports;
using Strata.Bench.Top;
using Strata.Bench.Types;
using Strata.Bench.Versus;

namespace Strata.Bench;

/// <summary>The tool's command line: one verb per benchmark.</summary>
public static class BenchCommandLine
{
    private const int Failed = 1;
    private const int BadUsage = 2;

    /// <summary>Runs the verb that the arguments name. Returns the exit code: 0 done, 1 the benchmark failed (the
    /// reason is on <paramref name="error"/>), 2 the arguments are wrong.</summary>
    public static int Run(string[] arguments, TextWriter output, TextWriter error)
    {
        ArgumentNullException.ThrowIfNull(error);
        if (arguments is [MicroOptions.Verb, .. var forBenchmarkDotNet])
        {
            return MicroCommand.Run(forBenchmarkDotNet, output);
        }

        var console = new BenchConsole(output, error);
        using var parser = new Parser(settings =>
        {
            settings.HelpWriter = null;
            settings.CaseInsensitiveEnumValues = true;
            settings.AllowMultiInstance = true;
            settings.ParsingCulture = System.Globalization.CultureInfo.InvariantCulture;
        });
        try
        {
            var parsed = parser.ParseArguments<LoadOptions, DeviceOptions, KvOptions, DiskOptions, VersusOptions,
                TypesOptions, DurabilityOptions, ObservabilityOptions, CoresOptions, HitRatioOptions, ChartOptions,
                TopOptions, MicroOptions>(arguments);
            return parsed.MapResult(
                    (LoadOptions options) => LoadCommand.Run(options, console),
                    (DeviceOptions options) => DeviceCommand.Run(options, console),
                    (KvOptions options) => KvCommand.Run(options, console),
                    (DiskOptions options) => DiskCommand.Run(options, console),
                    (VersusOptions options) => VersusCommand.Run(options, console),
                    (TypesOptions options) => TypesCommand.Run(options, console),
                    (DurabilityOptions options) => ComparisonCommand.Run(
                        "durability", new DurabilityRun(options).Execute, options.Json, console),
                    (ObservabilityOptions options) => ComparisonCommand.Run(
                        "observability", new ObservabilityRun(options).Execute, options.Json, console),
                    (CoresOptions options) => ComparisonCommand.Run(
                        "cores", new CoresRun(options).Execute, options.Json, console),
                    (HitRatioOptions options) => HitRatioCommand.Run(options, console),
                    (ChartOptions options) => ChartCommand.Run(options, console),
                    (TopOptions options) => TopCommand.Run(options, console),
                    (MicroOptions _) => MicroCommand.Run([], output),
                    errors =>
                    {
                        List<Error> found = [.. errors];
                        var isAskedFor = BenchHelp.IsAskedFor(found);
                        (isAskedFor ? output : error).WriteLine(BenchHelp.TextFor(parsed, found));
                        return isAskedFor ? 0 : BadUsage;
                    });
        }
        catch (BenchException e)
        {
            error.WriteLine(e.Message);
            return Failed;
        }
    }
}
