using System.Globalization;
using System.Text.Json;
using NUnit.Framework;
using Strata.Bench.Device;
using Strata.Storage.Devices;
using Strata.Tests.Server.Options;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Bench;

public sealed class DeviceVerbTests
{
    private TemporaryDirectory _directory = null!;

    private string FilePath => Path.Combine(_directory.Path, "blocks");

    [SetUp]
    public void MakeDirectory() => _directory = new TemporaryDirectory();

    [TearDown]
    public void RemoveDirectory() => _directory.Dispose();

    [TestCase("memory", "auto", 0)]
    [TestCase("memory", "auto", 30)]
    [TestCase("null", "auto", 30)]
    [TestCase("random-access", "auto", 30)]
    [TestCase("native", "auto", 0)]
    [TestCase("native", "managed", 30)]
    [TestCase("native", "io_uring", 30)]
    [TestCase("native", "libaio", 30)]
    public void Every_device_is_measured_without_errors(string device, string backend, int writePercent)
    {
        var named = backend switch
        {
            "io_uring" => DeviceBackend.IoUring,
            "libaio" => DeviceBackend.Libaio,
            _ => DeviceBackend.Managed,
        };
        FileDevices.SkipUnlessRunnable(named);
        var result = Measure("--device", device, "--device-io-backend", backend, "--file", FilePath,
            "--write-percent", writePercent.ToString(CultureInfo.InvariantCulture), "--threads", "2");
        var reads = result.GetProperty("reads").GetInt64();
        var writes = result.GetProperty("writes").GetInt64();
        Assert.Multiple(() =>
        {
            Assert.That(result.GetProperty("operations").GetInt64(), Is.EqualTo(reads + writes));
            Assert.That(reads, Is.Positive);
            Assert.That(writes > 0, Is.EqualTo(writePercent > 0));
            Assert.That(result.GetProperty("errors").EnumerateObject(), Is.Empty);
            Assert.That(result.GetProperty("iops").GetDouble(), Is.Positive);
            Assert.That(result.GetProperty("cpuUsPerOp").GetDouble(), Is.Positive);
            Assert.That(result.GetProperty("p50Us").GetDouble(), Is.Positive);
            Assert.That(result.GetProperty("p99Us").GetDouble(),
                Is.AtLeast(result.GetProperty("p50Us").GetDouble()));
            Assert.That(File.Exists(FilePath), Is.False, "the file was made by the run and goes with it");
        });
    }

    [Test]
    public void Latency_is_measured()
    {
        var result = Measure("--device", "memory", "--latency-us", "2000");
        Assert.That(result.GetProperty("p50Us").GetDouble(), Is.AtLeast(2000));
    }

    [Test]
    public void Errors_are_told_by_their_errno()
    {
        var errors = new RequestErrors();
        foreach (var result in new[] { -5, -28, 512, -28, 0, int.MinValue })
        {
            errors.Record(result);
        }

        errors.Add(errors);
        Assert.That(errors.ByText(), Is.EqualTo(new Dictionary<string, long>
        {
            ["short transfer"] = 4,
            ["errno 5: Input/output error"] = 2,
            ["errno 28: No space left on device"] = 4,
            ["errno 4095: Unknown error 4095"] = 2,
        }));
    }

    [Test]
    public void A_kept_file_is_measured_again_as_far_as_it_goes()
    {
        Measure("--device", "random-access", "--file", FilePath, "--keep");
        Measure("--device", "random-access", "--file", FilePath, "--reuse");
        Assert.That(new FileInfo(FilePath).Length, Is.EqualTo(1 << 20), "reused files are kept");
        var (exitCode, _, error) = BenchRun.Run("device", "--file", FilePath, "--reuse", "--file-size", "2mb");
        Assert.That(exitCode, Is.EqualTo(1));
        Assert.That(error, Does.Contain("the file has 1048576 bytes, fewer than --file-size 2mb"));
    }

    [Test]
    public void A_file_that_is_there_is_not_overwritten()
    {
        File.WriteAllText(FilePath, "precious");
        var (exitCode, _, error) = BenchRun.Run("device", "--file", FilePath);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain("exists: remove it, or give --reuse"));
            Assert.That(File.ReadAllText(FilePath), Is.EqualTo("precious"));
        });
    }

    [Test]
    public void The_table_names_iops_and_percentiles() =>
        Assert.That(BenchRun.Succeed("device", "--device", "memory", "--file-size", "1mb", "--runtime", "0.1"),
            Does.Contain("IOPS").And.Contain("CPU per operation").And.Contain("latency p99.9"));

    [TestCase("--block-size", "1000", "--block-size 1000 is out of range")]
    [TestCase("--depth", "0", "--depth 0 is out of range")]
    [TestCase("--write-percent", "101", "--write-percent 101 is out of range")]
    [TestCase("--file-size", "1", "holds no block of 4096 bytes")]
    [TestCase("--device", "tape", "--device tape is unknown")]
    [TestCase("--device-io-backend", "dma", "--device-io-backend dma is unknown")]
    [TestCase("--runtime", "1", "--file names the file to measure")]
    public void Wrong_flags_are_named(string flag, string value, string message)
    {
        var (exitCode, _, error) = BenchRun.Run("device", $"{flag}={value}");
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    private static JsonElement Measure(params string[] flags)
    {
        var output = BenchRun.Succeed(["device", "--file-size", "1mb", "--runtime", "0.2", "--json", .. flags]);
        using var document = JsonDocument.Parse(output);
        return document.RootElement.Clone();
    }
}
