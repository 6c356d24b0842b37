using System.Text.Json;
using NUnit.Framework;
using Strata.Bench;
using Strata.Bench.Disk;
using Strata.Storage.Devices;
using Strata.Tests.Server.Options;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

public sealed class DiskVerbTests
{
    private const string FioJson = """
        fio: a warning
        {"fio version": "fio-3.33", "jobs": [{"jobname": "r", "error": 0, "job_runtime": 2000,
          "usr_cpu": 10.0, "sys_cpu": 30.0, "read": {"total_ios": 200000, "iops": 100000.5,
            "clat_ns": {"percentile": {"50.000000": 900000, "99.000000": 2500000}}}}]}
        """;

    private TemporaryDirectory _directory = null!;

    [SetUp]
    public void MakeDirectory() => _directory = new TemporaryDirectory();

    [TearDown]
    public void RemoveDirectory() => _directory.Dispose();

    [Test]
    [Category(TestCategories.Long)]
    public void Every_layer_is_measured_and_what_is_missing_is_named()
    {
        FileDevices.SkipUnlessRunnable(DeviceBackend.Libaio);
        var json = Path.Combine(_directory.Path, "disk.json");
        var output = BenchRun.Succeed("disk", "--folder", _directory.Path, "--backends", "libaio", "--seconds", "1",
            "--rounds", "2", "--file-size", "4mb", "--keys", "30000", "--fio", "/nowhere/fio", "--json", json);
        using var document = JsonDocument.Parse(File.ReadAllText(json));
        var rows = document.RootElement.GetProperty("rows").EnumerateArray().ToList();
        var names = rows.ConvertAll(row => row.GetProperty("what").GetString());
        Assert.Multiple(() =>
        {
            Assert.That(names, Does.Contain("device 4096 B").And.Contain("kv uniform reads, data 4 × memory"));
            Assert.That(names, Has.None.Contain("fio").And.None.Contain("server"));
            Assert.That(rows[^1].GetProperty("comparedWith").GetString(), Is.EqualTo("device 4096 B"));
            Assert.That(rows[^1].GetProperty("ratio").GetDouble(), Is.Positive);
            Assert.That(rows[^1].GetProperty("diskReadsPerSecond").GetDouble(), Is.Positive);
            Assert.That(names, Is.Unique, "one row for both rounds");
            Assert.That(rows[^1].GetProperty("rounds").GetArrayLength(), Is.EqualTo(2));
            Assert.That(output, Does.Contain("fio: there is no /nowhere/fio; install the package fio."));
            Assert.That(output, Does.Contain("the server: --server does not say how to start it."));
            Assert.That(Directory.EnumerateDirectories(_directory.Path), Is.Empty, "what was made is removed");
        });
    }

    [Test]
    public void Fio_reads_the_file_that_the_device_reads()
    {
        BenchRun.RequireOnPath("fio");
        var file = Path.Combine(_directory.Path, "blocks");
        File.WriteAllBytes(file, new byte[1 << 20]);
        var row = new FioTool("fio", new DiskOptions { Seconds = 1 }).Run(file, 1 << 20, "libaio", 4096);
        Assert.Multiple(() =>
        {
            Assert.That(row.OpsPerSecond, Is.Positive);
            Assert.That(row.CpuUsPerOp, Is.Positive);
            Assert.That(row.P99Us, Is.Positive);
        });
    }

    [Test]
    public void Fios_cpu_is_its_share_of_the_run_over_the_reads()
    {
        var row = FioTool.Parse(FioJson, "libaio", 4096);
        Assert.Multiple(() =>
        {
            Assert.That(row.What, Is.EqualTo("fio randread 4096 B"));
            Assert.That(row.OpsPerSecond, Is.EqualTo(100_000.5));
            Assert.That(row.CpuUsPerOp, Is.EqualTo(4).Within(1e-9));
            Assert.That(row.P99Us, Is.EqualTo(2500));
        });
    }

    [TestCase("{}", "fio's JSON is not as expected")]
    [TestCase("no json", "fio's JSON is not as expected")]
    [TestCase("""{"jobs":[{"error":5,"read":{"total_ios":0}}]}""", "fio's reads failed with errno 5")]
    public void Other_json_than_fios_is_refused(string json, string message)
    {
        var error = Assert.Throws<BenchException>(() => FioTool.Parse(json, "libaio", 512));
        Assert.That(error!.Message, Does.Contain(message));
    }

    [TestCase("--backends=sync", "--backends sync does not exist")]
    [TestCase("--folder=/nowhere", "--folder /nowhere is not there")]
    [TestCase("--seconds=0", "--seconds, --rounds and --keys must be 1 or more")]
    [TestCase("--rounds=0", "--seconds, --rounds and --keys must be 1 or more")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        string[] folder = flag.StartsWith("--folder", StringComparison.Ordinal) ? [] : ["--folder=/tmp"];
        var (exitCode, _, error) = BenchRun.Run(["disk", flag, .. folder]);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }
}
