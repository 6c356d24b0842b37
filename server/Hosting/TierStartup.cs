using System.Numerics;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Devices;
using Strata.Storage.Tiering;

namespace Strata.Server.Hosting;

/// <summary>The tier as the server runs it: its folder, and the device in it.</summary>
internal sealed class TierStartup : IDisposable
{
    private readonly TierDirectory? _directory;
    private readonly ServerLog _log;

    private TierStartup(TierDirectory? directory, Tier tier, ServerLog log)
    {
        _directory = directory;
        _log = log;
        Tier = tier;
    }

    public Tier Tier { get; }

    /// <summary>Makes the tier that the configuration asks for.</summary>
    /// <param name="options">The configuration.</param>
    /// <param name="log">Told which way to the disk was taken.</param>
    /// <param name="device">A device to be used in place of files, in tests.</param>
    /// <returns>Null when it asks for none.</returns>
    /// <exception cref="DeviceException">It cannot work here; the text names the cause and the remedy.</exception>
    public static TierStartup? Open(ServerOptions options, ServerLog log, IDevice? device)
    {
        return !options.StorageTier ? null
            : device != null ? new TierStartup(directory: null, Make(device, options), log)
            : OpenFiles(options, log);
    }

    /// <summary>Takes over what may change while the server runs.</summary>
    public static void Follow(Tier tier, ServerOptions options)
    {
        tier.CompactionGarbagePercent = options.CompactionGarbagePercent;
        tier.CopiesReadsToTail = options.CopyReadsToTail;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Tier.Dispose();
        try
        {
            _directory?.RemoveSegments();
        }
        catch (DeviceException exception)
        {
            _log.DeviceFault(exception.Message);
        }

        _directory?.Dispose();
    }

    private static TierStartup OpenFiles(ServerOptions options, ServerLog log)
    {
        var directory = TierDirectory.Open(options.Directory, out var removed);
        FileDevice? device = null;
        try
        {
            var settings = new DeviceSettings(directory.SegmentPath)
            {
                SegmentBytes = options.SegmentSizeBytes,
                Backend = options.DeviceIoBackend,
                QueueDepth = options.DeviceThrottleLimit,
                OnFault = exception => log.DeviceFault(exception.Message),
            };
            device = FileDevice.Open(settings, out var chosen);
            device.Initialize();
            log.TierReady(Path.GetDirectoryName(directory.SegmentPath)!, chosen, removed);
            if (!device.IsDirect)
            {
                log.TierThroughPageCache();
            }

            if (options.MaxMemoryBytes == 0)
            {
                log.TierWithoutLimit();
            }

            return new TierStartup(directory, Make(device, options), log);
        }
        catch
        {
            device?.Dispose();
            directory.Dispose();
            throw;
        }
    }

    private static Tier Make(IDevice device, ServerOptions options)
    {
        var segmentBits = BitOperations.Log2((ulong)device.SegmentBytes);
        var tier = new Tier(device, segmentBits, options.WorkerCount, options.DeviceThrottleLimit);
        Follow(tier, options);
        return tier;
    }
}
