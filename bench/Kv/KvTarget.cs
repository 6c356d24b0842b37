using System.Numerics;
using Strata.Bench.Device;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Bench.Kv;

/// <summary>The shards that a run works on, and the device below them.</summary>
internal sealed class KvTarget : IDisposable
{
    private readonly TierDirectory? _directory;
    private readonly KvModel? _model;

    private KvTarget(KvOptions options, TierDirectory? directory, IDevice? device, string name)
    {
        _directory = directory;
        Name = name;
        if (device != null)
        {
            device.Initialize();
            Tier = new Tier(
                device, BitOperations.Log2((ulong)device.SegmentBytes), options.Workers, options.ThrottleLimit);
        }

        Budget = new MemoryBudget { LimitBytes = options.LogMemoryBytes };
        Quiescence = new Quiescence(options.Workers);
        Shards = new ShardMap(
            new ShardSettings(options.Shards, Limits.MaxPageBits, IsShared: options.Workers > 1),
            Budget,
            Quiescence,
            Tier);
        _model = options.Validates ? new KvModel(options.Keys) : null;
    }

    /// <summary>The device, with the backend that was taken and why.</summary>
    public string Name { get; }

    public MemoryBudget Budget { get; }

    public Quiescence Quiescence { get; }

    public ShardMap Shards { get; }

    /// <summary>Null where all data stays in memory.</summary>
    public Tier? Tier { get; }

    /// <summary>What the keys should hold; null when nobody asks.</summary>
    public KvModel? Model => _model;

    /// <summary>What the tier has done so far; null where there is none.</summary>
    public TierOverview? Overview => Tier == null ? null : TierOverview.Of(Tier);

    /// <summary>Opens what the flags ask for.</summary>
    /// <exception cref="BenchException">The flags do not fit the device.</exception>
    /// <exception cref="DeviceException">The device cannot work here.</exception>
    /// <exception cref="MemoryExhaustedException">The address space is not to be had.</exception>
    public static KvTarget Open(KvOptions options) => options.Device switch
    {
        "none" => new KvTarget(options, null, null, "none"),
        "memory" => new KvTarget(options, null, new MemoryDevice(options.SegmentBytes, options.LatencyUs), "memory"),
        "null" => new KvTarget(options, null, new NullDevice(options.SegmentBytes), "null"),
        "native" => OpenFiles(options, DeviceTarget.Backend(options.Backend)),
        "random-access" => OpenFiles(options, DeviceBackend.Managed),
        _ => throw new BenchException(
            $"--device {options.Device} is unknown: give native, random-access, memory, null or none."),
    };

    /// <inheritdoc/>
    /// <remarks>The threads must have ended.</remarks>
    public void Dispose()
    {
        Tier?.Dispose();
        Shards.Dispose();
        Quiescence.Dispose();
        _model?.Dispose();
        _directory?.Dispose();
    }

    private static KvTarget OpenFiles(KvOptions options, DeviceBackend backend)
    {
        if (options.Folder.Length == 0)
        {
            throw new BenchException("--file names a folder for the device's files: give one, or --device memory.");
        }

        var directory = TierDirectory.Open(Path.GetFullPath(options.Folder));
        FileDevice? device = null;
        try
        {
            _ = directory.RemoveSegments();
            var settings = new DeviceSettings(directory.SegmentPath)
            {
                SegmentBytes = options.SegmentBytes,
                Backend = backend,
                QueueDepth = options.ThrottleLimit,
            };
            device = FileDevice.Open(settings, out var chosen);
            return new KvTarget(options, directory, device, chosen);
        }
        catch
        {
            device?.Dispose();
            directory.Dispose();
            throw;
        }
    }
}
