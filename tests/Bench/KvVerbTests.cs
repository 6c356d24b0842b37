using System.Globalization;
using System.Text.Json;
using NUnit.Framework;
using Strata.Bench.Kv;
using Strata.Storage.Devices;
using Strata.Tests.Server.Options;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Bench;

public sealed class KvVerbTests
{
    private const string Mixed = "--read=40 --upsert=25 --rmw=20 --delete=15";

    private TemporaryDirectory _directory = null!;

    [SetUp]
    public void MakeDirectory() => _directory = new TemporaryDirectory();

    [TearDown]
    public void RemoveDirectory() => _directory.Dispose();

    [TestCase("none", "auto", "uniform", 1)]
    [TestCase("none", "auto", "zipf", 3)]
    [TestCase("memory", "auto", "uniform", 1)]
    [TestCase("memory", "auto", "zipf", 3)]
    [TestCase("random-access", "auto", "uniform", 2)]
    [TestCase("native", "io_uring", "uniform", 2)]
    [TestCase("native", "libaio", "zipf", 2)]
    public void All_that_is_read_is_what_was_written(string device, string backend, string distribution, int threads)
    {
        var named = backend switch
        {
            "io_uring" => DeviceBackend.IoUring,
            "libaio" => DeviceBackend.Libaio,
            _ => DeviceBackend.Managed,
        };
        FileDevices.SkipUnlessRunnable(named);
        var isTiered = device != "none";
        var result = Measure(Mixed, $"--device={device} --device-io-backend={backend} --distribution={distribution}",
            $"--threads={threads} --load-threads=2 --log-memory={(isTiered ? "2mb" : "64mb")} --keys=60000",
            "--operations=60000 --validate --pin");
        Assert.Multiple(() =>
        {
            Assert.That(result.GetProperty("mismatches").GetInt64(), Is.Zero, $"{result}");
            Assert.That(result.GetProperty("errors").EnumerateObject(), Is.Empty);
            Assert.That(result.GetProperty("operations").GetInt64(), Is.EqualTo(60_000));
            Assert.That(result.GetProperty("missing").GetInt64(), Is.Positive, "keys were deleted");
            Assert.That(result.GetProperty("coldReads").GetInt64() > 0, Is.EqualTo(isTiered));
            Assert.That(result.GetProperty("bytesPerKey").GetDouble(), Is.InRange(108, 400));
            Assert.That(result.GetProperty("cpuUsPerOp").GetDouble(), Is.Positive);
            Assert.That(result.GetProperty("p99Us").GetDouble(), Is.AtLeast(result.GetProperty("p50Us").GetDouble()));
            foreach (var verb in new[] { "reads", "upserts", "rmws", "deletes" })
            {
                Assert.That(result.GetProperty(verb).GetInt64(), Is.Positive, verb);
            }
        });
    }

    [Test]
    public void Records_larger_than_the_first_read_are_read_again()
    {
        var result = Measure("--device=memory --value-size=6000 --key-size=40 --keys=2000 --log-memory=2mb",
            "--operations=2000 --validate --shards=2 --depth=8");
        Assert.Multiple(() =>
        {
            Assert.That(result.GetProperty("mismatches").GetInt64(), Is.Zero);
            Assert.That(result.GetProperty("secondReads").GetInt64(), Is.Positive);
        });
    }

    [TestCase("none")]
    [TestCase("memory")]
    public void Reads_allocate_nothing_once_they_run(string device)
    {
        var result = Measure($"--device={device} --keys=30000 --log-memory={(device == "none" ? "64mb" : "2mb")}",
            "--runtime=1");
        var reads = result.GetProperty("reads").GetInt64();
        Assert.That(result.GetProperty("allocatedBytes").GetInt64(), Is.LessThan((64 << 10) + reads),
            "less than a byte for a read: what grows to its size once may still grow");
    }

    [Test]
    public void The_table_and_the_files_say_what_was_measured()
    {
        var csv = Path.Combine(_directory.Path, "kv.csv");
        var dump = Path.Combine(_directory.Path, "drawn.csv");
        string[] flags = ["kv", "--device=none", "--keys=1000", "--operations=5000", "--distribution=zipf",
            "--threads=2", $"--csv={csv}", $"--dump-distribution={dump}"];
        Assert.That(BenchRun.Succeed(flags), Does.Contain("throughput").And.Contain("mismatches"));
        BenchRun.Succeed(flags);
        var lines = File.ReadAllLines(csv);
        var drawn = File.ReadAllLines(dump).Skip(1).Select(line => line.Split(',')).ToList();
        var counts = drawn.ConvertAll(line => long.Parse(line[2], CultureInfo.InvariantCulture));
        Assert.Multiple(() =>
        {
            Assert.That(lines, Has.Length.EqualTo(3), "the columns' names, and a line for each run");
            Assert.That(lines[0], Does.StartWith("device,keys,"));
            Assert.That(lines[1].Split(','), Has.Length.EqualTo(lines[0].Split(',').Length));
            Assert.That(counts.Sum(), Is.EqualTo(5000), "every operation drew a key");
            Assert.That(drawn.Select(line => line[1]).Distinct().Count(), Is.EqualTo(1000));
            Assert.That(counts[..10].Sum(), Is.GreaterThan(counts[^500..].Sum()), "the first ranks are popular");
        });
    }

    [Test]
    public void A_value_of_another_key_or_version_or_of_two_halves_is_found_out()
    {
        var value = new byte[101];
        KvValue.Fill(value, number: 7, version: 3);
        Assert.Multiple(() =>
        {
            Assert.That(KvValue.IsRight(value, 7, 3), Is.True);
            Assert.That(KvValue.IsRight(value, 8, 3), Is.False);
            Assert.That(KvValue.IsRight(value, 7, 2), Is.False);
            Assert.That(KvValue.IsRight(value.AsSpan(0, 15), 7, 3), Is.False);
            for (var i = 0; i < value.Length; i++)
            {
                value[i] ^= 1;
                Assert.That(KvValue.IsRight(value, 7, 3), Is.False, $"byte {i}");
                value[i] ^= 1;
            }
        });
    }

    [Test]
    public void A_device_that_loses_bytes_is_told_by_its_errors()
    {
        var (exitCode, output, _) = BenchRun.Run("kv", "--device=null", "--keys=300000", "--log-memory=8mb",
            "--operations=2000", "--validate", "--json");
        Assert.That(exitCode, Is.Zero, "what is still in memory is right");
        using var document = JsonDocument.Parse(output);
        var errors = document.RootElement.GetProperty("errors");
        Assert.That(errors.GetProperty("damaged record").GetInt64(), Is.Positive);
    }

    [TestCase("--read=50", "50 is out of range: give 100 in all")]
    [TestCase("--keys=0", "--keys 0 is out of range")]
    [TestCase("--key-size=7", "--key-size 7 is out of range")]
    [TestCase("--value-size=15", "--value-size 15 is out of range")]
    [TestCase("--shards=3", "--shards 3 is out of range")]
    [TestCase("--segment-size=3mb", "--segment-size 3145728 is out of range")]
    [TestCase("--log-memory=1kb", "--log-memory 1024 is out of range")]
    [TestCase("--log-memory=much", "--log-memory much is not a size")]
    [TestCase("--device=tape", "--device tape is unknown")]
    [TestCase("--device-io-backend=dma", "--device-io-backend dma is unknown")]
    [TestCase("--device=native", "--file names a folder")]
    [TestCase("--device=none --log-memory=1mb --keys=100000",
        "keys could not be loaded (out of memory): raise --log-memory")]
    public void Wrong_flags_are_named(string flags, string message)
    {
        var (exitCode, _, error) = BenchRun.Run(["kv", .. flags.Split(' ')]);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    private JsonElement Measure(params string[] flags)
    {
        string[] common = ["kv", "--json", $"--file={_directory.Path}", "--segment-size=1mb"];
        var output = BenchRun.Succeed([.. common, .. flags.SelectMany(some => some.Split(' '))]);
        using var document = JsonDocument.Parse(output);
        return document.RootElement.Clone();
    }
}
