using System.Numerics;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Runtime;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;
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
    /// <param name="platform">Where random numbers come from.</param>
    /// <param name="kept">The checkpoint that this start begins with, whose segments are kept; null for none.</param>
    /// <returns>Null when it asks for none.</returns>
    /// <exception cref="DeviceException">It cannot work here; the text names the cause and the remedy.</exception>
    /// <exception cref="StartupException">There is data that does not fit the configuration, or would be lost.
    /// </exception>
    public static TierStartup? Open(
        ServerOptions options, ServerLog log, IDevice? device, Platform platform, out KeptTier? kept)
    {
        if (options.StorageTier && device == null)
        {
            return OpenFiles(options, log, platform, out kept);
        }

        kept = TierOwner.Find(options, platform);
        return options.StorageTier ? new TierStartup(directory: null, Make(device!, options), log) : null;
    }

    /// <summary>Takes over what may change while the server runs.</summary>
    public static void Follow(Tier tier, ServerOptions options)
    {
        tier.CompactionGarbagePercent = options.CompactionGarbagePercent;
        tier.CopiesReadsToTail = options.CopyReadsToTail;
    }

    /// <summary>Puts back what a checkpoint names, before anybody uses the shards.</summary>
    /// <exception cref="StartupException">It cannot be.</exception>
    /// <exception cref="DeviceException">Files that it does not name cannot be removed.</exception>
    public void Restore(KeptTier kept, ServerContext server)
    {
        var named = kept.RestorePages(server);
        var removed = _directory?.RemoveOthers(named) ?? 0;
        _log.TierKept(kept.Path, named.Count, removed);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Tier.Dispose();
        if (Tier.Checkpoints.KeepsFiles)
        {
            _directory?.Dispose(); // A start removes what is not needed.
            return;
        }

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

    private static TierStartup OpenFiles(
        ServerOptions options, ServerLog log, Platform platform, out KeptTier? kept)
    {
        // Locked first: a server that is about to end may still make its files data.
        var directory = TierDirectory.Open(options.Directory);
        FileDevice? device = null;
        try
        {
            kept = TierOwner.Find(options, platform);
            var removed = kept == null ? directory.RemoveSegments() : 0;
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

            var tier = Make(device, options);
            tier.MarkKept = () => MarkKept(directory, options);
            if (kept != null)
            {
                tier.Checkpoints.OnListing(); // Whatever becomes of this start.
                MendNote(directory, options);
            }

            return new TierStartup(directory, tier, log);
        }
        catch
        {
            device?.Dispose();
            directory.Dispose();
            throw;
        }
    }

    private static void MarkKept(TierDirectory directory, ServerOptions options)
    {
        directory.Keep(TierOwner.Write(options));
        Sync(directory.FolderPath);
        Sync(options.Directory); // The folder may be new, too.
    }

    /// <summary>Whose data the files are is known by now, and what says so may be damaged.</summary>
    private static void MendNote(TierDirectory directory, ServerOptions options)
    {
        try
        {
            if (!directory.IsKeptFor(TierOwner.Write(options)))
            {
                MarkKept(directory, options);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new DeviceException(
                $"cannot write to {directory.FolderPath} whose data its files are: {exception.Message}");
        }
    }

    private static void Sync(string folder)
    {
        var error = new DiskFolder(folder).Sync();
        if (error.IsError)
        {
            throw new IOException(error.Text);
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
