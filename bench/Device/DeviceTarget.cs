using Strata.Storage;
using Strata.Storage.Devices;

namespace Strata.Bench.Device;

/// <summary>The device that a run measures, and its file. A file that the run made is removed with it, unless it is to
/// be kept; one that was there before is neither overwritten nor removed.</summary>
internal sealed class DeviceTarget : IDisposable
{
    private readonly string? _fileToRemove;

    private DeviceTarget(IDevice device, string name, string? fileToRemove)
    {
        Device = device;
        Name = name;
        _fileToRemove = fileToRemove;
    }

    public IDevice Device { get; }

    /// <summary>The device, with the backend that was taken and why.</summary>
    public string Name { get; }

    /// <summary>Opens what the flags ask for, and makes it ready.</summary>
    /// <exception cref="BenchException">The flags do not fit the device or the file.</exception>
    /// <exception cref="DeviceException">The device cannot work here.</exception>
    public static DeviceTarget Open(DeviceOptions options)
    {
        var target = options.Device switch
        {
            "memory" => new DeviceTarget(new MemoryDevice(latencyUs: options.LatencyUs), "memory", null),
            "null" => new DeviceTarget(new NullDevice(), "null", null),
            "native" => OpenFile(options, Backend(options.Backend)),
            "random-access" => OpenFile(options, DeviceBackend.Managed),
            _ => throw new BenchException(
                $"--device {options.Device} is unknown: give native, random-access, memory or null."),
        };
        try
        {
            target.Device.Initialize();
            target.CheckSize(options);
            return target;
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Device.Dispose();
        if (_fileToRemove != null)
        {
            File.Delete(_fileToRemove);
        }
    }

    /// <summary>The backend of a flag's value.</summary>
    /// <exception cref="BenchException">There is no such backend.</exception>
    public static DeviceBackend Backend(string name) => name switch
    {
        "auto" => DeviceBackend.Auto,
        "io_uring" => DeviceBackend.IoUring,
        "libaio" => DeviceBackend.Libaio,
        "managed" => DeviceBackend.Managed,
        _ => throw new BenchException(
            $"--device-io-backend {name} is unknown: give auto, io_uring, libaio or managed."),
    };

    private static DeviceTarget OpenFile(DeviceOptions options, DeviceBackend backend)
    {
        if (options.File.Length == 0)
        {
            throw new BenchException("--file names the file to measure: give one, or --device memory.");
        }

        var path = Path.GetFullPath(options.File);
        if (File.Exists(path) && !options.Reuse)
        {
            throw new BenchException($"{path} exists: remove it, or give --reuse if an earlier run wrote it whole.");
        }

        var settings = new DeviceSettings(path)
        {
            Backend = backend,
            QueueDepth = Math.Clamp(options.ThrottleLimit, DeviceFill.Pieces, Limits.MaxQueueDepth),
        };
        var device = FileDevice.Open(settings, out var chosen);
        return new DeviceTarget(device, chosen, options.Keep || options.Reuse ? null : path);
    }

    private void CheckSize(DeviceOptions options)
    {
        var size = Device.SizeOf(0);
        if (options.Reuse && size < options.Blocks * options.BlockBytes)
        {
            throw new BenchException($"--reuse: the file has {size} bytes, fewer than --file-size {options.FileSize}.");
        }
    }
}
