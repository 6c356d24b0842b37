using System.Globalization;
using System.Text.Json;
using Strata.Bench.Versus;

namespace Strata.Bench.Disk;

/// <summary>fio: random reads of a file past the page cache, by one job.</summary>
internal sealed class FioTool(string path, DiskOptions options)
{
    /// <summary>Reads a file that was written whole.</summary>
    /// <exception cref="BenchException">fio failed.</exception>
    public DiskRow Run(string file, long fileBytes, string backend, int blockBytes)
    {
        var json = ToolProcess.Run(path, cpus: null,
        [
            "--name=randread", $"--filename={file}", Invariant($"--size={fileBytes}"), "--direct=1", "--rw=randread",
            Invariant($"--bs={blockBytes}"), Invariant($"--iodepth={options.Depth}"), $"--ioengine={backend}",
            "--time_based", Invariant($"--runtime={options.Seconds}"), "--norandommap", "--output-format=json",
        ]);
        return Parse(json, backend, blockBytes);
    }

    /// <summary>Reads fio's JSON, which warnings may stand before.</summary>
    /// <exception cref="BenchException">It is not such a text, or reads failed.</exception>
    public static DiskRow Parse(string text, string backend, int blockBytes)
    {
        try
        {
            using var document = JsonDocument.Parse(text[Math.Max(0, text.IndexOf('{', StringComparison.Ordinal))..]);
            var job = document.RootElement.GetProperty("jobs")[0];
            var read = job.GetProperty("read");
            var reads = read.GetProperty("total_ios").GetInt64();
            if (job.GetProperty("error").GetInt32() is not 0 and var errno)
            {
                throw new BenchException($"fio's reads failed with errno {errno}.");
            }

            var busyMs = (job.GetProperty("usr_cpu").GetDouble() + job.GetProperty("sys_cpu").GetDouble()) / 100
                * job.GetProperty("job_runtime").GetInt64();
            var p99Ns = read.GetProperty("clat_ns").GetProperty("percentile").GetProperty("99.000000").GetInt64();
            var iops = read.GetProperty("iops").GetDouble();
            return new DiskRow
            {
                What = NameOf(blockBytes),
                Backend = backend,
                OpsPerSecond = iops,
                DiskReadsPerSecond = iops,
                CpuUsPerOp = reads == 0 ? 0 : busyMs * 1000 / reads,
                P99Us = p99Ns / 1e3,
            };
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            throw new BenchException($"fio's JSON is not as expected ({e.Message}): use version 3.", e);
        }
    }

    /// <summary>The row's name.</summary>
    public static string NameOf(int blockBytes) => Invariant($"fio randread {blockBytes} B");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
