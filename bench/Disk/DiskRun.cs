using System.Globalization;
using Strata.Bench.Device;
using Strata.Bench.HitRatio;
using Strata.Bench.Kv;
using Strata.Bench.Reports;
using Strata.Bench.Statistics;

namespace Strata.Bench.Disk;

/// <summary>
/// Measures one file system layer by layer: fio, the device alone, the storage library, the server; and all of it again
/// for each round, since disks drift. What is compared is measured one after the other in the same round.
/// </summary>
internal sealed class DiskRun
{
    // Bytes of a record of an 8-byte key and a value of 100 bytes.
    private const long RecordBytes = 128;
    private const int DataToMemory = 4;

    private static readonly int[] s_blockSizes = [512, 4096];

    private readonly DiskOptions _options;
    private readonly FioTool? _fio;
    private readonly TierServer? _server;
    private readonly List<DiskRow> _rows = [];
    private readonly List<string> _leftOut;
    private readonly string _folder;
    private readonly long _fileBytes;

    private DiskRun(DiskOptions options, FioTool? fio, TierServer? server, IEnumerable<string> leftOut, string folder)
    {
        _options = options;
        _fio = fio;
        _server = server;
        _leftOut = [.. leftOut];
        _folder = folder;
        _fileBytes = MemorySize.Parse(options.FileSize, "--file-size");
    }

    /// <summary>Measures everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <param name="options">The flags.</param>
    /// <param name="fio">Null to leave fio's rows out.</param>
    /// <param name="server">Null to leave the server's rows out.</param>
    /// <param name="leftOut">What is left out, and why.</param>
    /// <param name="onProgress">Told how far it is.</param>
    /// <exception cref="BenchException">A tool, the device or the server failed.</exception>
    public static DiskReport Execute(
        DiskOptions options, FioTool? fio, TierServer? server, IEnumerable<string> leftOut,
        Action<double, string> onProgress)
    {
        var folder = Path.Combine(Path.GetFullPath(options.Folder), $"strata-bench-{Guid.NewGuid():N}");
        Directory.CreateDirectory(folder);
        try
        {
            return new DiskRun(options, fio, server, leftOut, folder).Execute(onProgress);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private string BlockFile => Path.Combine(_folder, "blocks");

    private DiskReport Execute(Action<double, string> onProgress)
    {
        onProgress(0, "writing the file");
        _ = DeviceRun.Execute(Device(_options.BackendNames[0], 4096, keeps: true, seconds: 0.1));
        Rounds.Run(_options.Rounds, [.. _options.BackendNames.SelectMany(StepsOf)], onProgress);
        return new DiskReport
        {
            Benchmark = "disk",
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = Settings(),
            Rows = [.. _rows.GroupBy(row => (row.What, row.Backend)).Select(rounds => DiskRow.MedianOf([.. rounds]))],
            LeftOut = [.. _leftOut.Distinct()],
        };
    }

    private IEnumerable<(string What, Action Measure)> StepsOf(string backend)
    {
        foreach (var blockBytes in s_blockSizes)
        {
            if (_fio != null)
            {
                yield return ($"fio, {blockBytes} B, {backend}",
                    () => _rows.Add(_fio.Run(BlockFile, _fileBytes, backend, blockBytes)));
            }

            yield return ($"device, {blockBytes} B, {backend}", () => MeasureDevice(backend, blockBytes));
        }

        yield return ($"kv, {backend}", () => MeasureKv(backend));
        if (_server != null)
        {
            yield return ($"server, {backend}", () => MeasureServer(backend));
        }
    }

    private void MeasureDevice(string backend, int blockBytes)
    {
        DeviceResult result;
        try
        {
            result = DeviceRun.Execute(Device(backend, blockBytes, keeps: false, _options.Seconds));
        }
        catch (BenchException e) when (blockBytes < 4096)
        {
            _leftOut.Add($"{NameOfDevice(blockBytes)} by {backend}: {e.Message}"); // The sector is larger.
            return;
        }

        _rows.Add(Compared(FioTool.NameOf(blockBytes), new DiskRow
        {
            What = NameOfDevice(blockBytes),
            Backend = backend,
            OpsPerSecond = result.Iops,
            DiskReadsPerSecond = result.Iops,
            CpuUsPerOp = result.CpuUsPerOp,
            P99Us = result.P99Us,
        }));
        NoteErrors(NameOfDevice(blockBytes), backend, result.Errors);
    }

    private void MeasureKv(string backend)
    {
        var result = KvRun.Execute(new KvOptions
        {
            Device = "native",
            Backend = backend,
            Folder = _folder,
            Keys = _options.Keys,
            LogMemory = Math.Max(1 << 20, _options.Keys * RecordBytes / DataToMemory)
                .ToString(CultureInfo.InvariantCulture),
            Depth = _options.Depth,
            RuntimeSeconds = _options.Seconds,
        });
        _rows.Add(Compared(NameOfDevice(4096), new DiskRow
        {
            What = "kv uniform reads, data 4 × memory",
            Backend = backend,
            OpsPerSecond = result.OpsPerSecond,
            DiskReadsPerSecond = result.ColdReadsPerSecond,
            CpuUsPerOp = result.CpuUsPerOp,
            P99Us = result.P99Us,
        }));
        NoteErrors("kv", backend, result.Errors);
    }

    private void MeasureServer(string backend)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder, "server-" + backend));
        foreach (var row in _server!.Run(folder.FullName, backend))
        {
            _rows.Add(Compared(NameOfDevice(4096), row));
        }

        folder.Delete(recursive: true);
    }

    private DeviceOptions Device(string backend, int blockBytes, bool keeps, double seconds) => new()
    {
        File = BlockFile,
        FileSize = _options.FileSize,
        Keep = keeps,
        Reuse = !keeps,
        Device = "native",
        Backend = backend,
        BlockBytes = blockBytes,
        Depth = _options.Depth,
        RuntimeSeconds = seconds,
    };

    private DiskRow Compared(string with, DiskRow row)
    {
        var other = _rows.FindLast(found => found.What == with && found.Backend == row.Backend);
        return other == null || row.DiskReadsPerSecond == null
            ? row
            : row with { ComparedWith = with, Ratio = row.DiskReadsPerSecond / other.DiskReadsPerSecond };
    }

    private void NoteErrors(string what, string backend, IReadOnlyDictionary<string, long> errors)
        => _leftOut.AddRange(errors.Select(error => $"{error.Value} operations of {what} by {backend}: {error.Key}"));

    private Dictionary<string, string> Settings() => new()
    {
        ["folder"] = Path.GetFullPath(_options.Folder),
        ["rounds"] = _options.Rounds.ToString(CultureInfo.InvariantCulture),
        ["seconds"] = _options.Seconds.ToString(CultureInfo.InvariantCulture),
        ["file size"] = _options.FileSize,
        ["depth"] = _options.Depth.ToString(CultureInfo.InvariantCulture),
        ["keys"] = _options.Keys.ToString(CultureInfo.InvariantCulture),
        ["server's memory"] = _options.ServerMemory,
        ["server CPUs"] = _options.ServerCpus,
        ["client CPUs"] = _options.ClientCpus,
        ["command of the server"] = _options.Server ?? "",
    };

    private static string NameOfDevice(int blockBytes)
        => string.Create(CultureInfo.InvariantCulture, $"device {blockBytes} B");
}
