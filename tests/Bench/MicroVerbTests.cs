using NUnit.Framework;
using Strata.Bench.Micro;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

/// <summary>The benchmarks run, alone: BenchmarkDotNet measures this process.</summary>
[Category(TestCategories.Long)]
[NonParallelizable]
public sealed class MicroVerbTests
{
    [TestCase("ParserBenchmarks")]
    [TestCase("LeaseBenchmarks")]
    public void The_verb_runs_benchmarks(string name)
    {
        var folder = Directory.CreateTempSubdirectory("strata-micro-");
        var (exitCode, _, _) = BenchRun.Run(
            "micro", "--filter", $"*{name}*", "--job", "dry", "--artifacts", folder.FullName);
        var reports = Directory.GetFiles(Path.Combine(folder.FullName, "results"), $"*{name}*");
        folder.Delete(recursive: true);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.Zero);
            Assert.That(reports, Is.Not.Empty);
        });
    }

    [Test]
    public void A_filter_that_fits_no_benchmark_fails() =>
        Assert.That(BenchRun.Run("micro", "--filter", "*NoSuchBenchmark*").ExitCode, Is.EqualTo(1));

    [Test]
    public void Every_benchmark_of_the_index_and_of_batches_finds_its_keys()
    {
        var index = new IndexBenchmarks { Keys = 1000 };
        index.Fill();
        for (var i = 0; i < 5000; i++)
        {
            Assert.That(index.FindPresent(), Is.EqualTo(100));
            Assert.That(index.FindMissing(), Is.EqualTo(Strata.Storage.Records.FindResult.Missing));
            Assert.That(index.PutInPlace(), Is.EqualTo(100));
            Assert.That(index.RemoveAndPut(), Is.EqualTo(100));
        }

        index.Free();
        using var filled = new FilledShards(keys: 100, valueBytes: 10);
        Assert.That(filled.Shards.CountKeys(0), Is.EqualTo(100));
    }
}
