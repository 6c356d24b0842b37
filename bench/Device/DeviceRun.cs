using System.Diagnostics;
using Strata.Bench.Statistics;
using Strata.Storage.Devices;

namespace Strata.Bench.Device;

/// <summary>One run from opening the device to the result.</summary>
internal static class DeviceRun
{
    private const int ReportEveryMs = 100;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>Writes the device whole and measures it; <paramref name="onProgress"/> is told which part (0 to 1) of
    /// the step is done, and a note.</summary>
    /// <exception cref="BenchException">The device cannot be opened or written, or hangs.</exception>
    public static DeviceResult Execute(DeviceOptions options, Action<double, string>? onProgress = null)
    {
        options.Validate();
        try
        {
            using var target = DeviceTarget.Open(options);
            if (!options.Reuse)
            {
                DeviceFill.Write(target.Device, options.Blocks * options.BlockBytes,
                    done => onProgress?.Invoke(done, "writing the file"));
            }

            return Measure(options, target, onProgress);
        }
        catch (DeviceException exception)
        {
            throw new BenchException(exception.Message, exception);
        }
    }

    private static DeviceResult Measure(DeviceOptions options, DeviceTarget target, Action<double, string>? onProgress)
    {
        var threads = Enumerable.Range(0, options.Threads)
            .Select(number => new DeviceThread(options, target.Device, number))
            .ToList();
        try
        {
            threads.ForEach(thread => thread.Start());
            Thread.Sleep(options.WarmUp);
            var cpuBefore = Environment.CpuUsage.TotalTime;
            var startedAt = Stopwatch.GetTimestamp();
            threads.ForEach(thread => thread.Enter(DevicePhase.Measuring));
            WaitForEnd(options, threads, startedAt, onProgress);
            threads.ForEach(thread => thread.Enter(DevicePhase.Stopping));
            var seconds = Stopwatch.GetElapsedTime(startedAt).TotalSeconds;
            var cpu = Environment.CpuUsage.TotalTime - cpuBefore;
            Join(threads);
            return Sum(options, target.Name, threads, seconds, cpu);
        }
        finally
        {
            // Ends what is in flight, so that the buffers can be freed.
            target.Device.Dispose();
            threads.ForEach(thread => thread.Dispose());
        }
    }

    private static void WaitForEnd(
        DeviceOptions options, List<DeviceThread> threads, long startedAt, Action<double, string>? onProgress)
    {
        while (threads.TrueForAll(thread => !thread.HasEnded))
        {
            var elapsed = Stopwatch.GetElapsedTime(startedAt).TotalSeconds;
            var leftMs = (options.RuntimeSeconds - elapsed) * 1000;
            if (leftMs <= 0)
            {
                return;
            }

            if (onProgress != null)
            {
                var operations = threads.Sum(thread => thread.Operations);
                var note = FormattableString.Invariant($"{operations:N0} operations");
                onProgress(elapsed / options.RuntimeSeconds, note);
            }

            Thread.Sleep((int)Math.Clamp(leftMs, 1, ReportEveryMs));
        }
    }

    private static void Join(List<DeviceThread> threads)
    {
        foreach (var thread in threads)
        {
            if (!thread.Join(s_patience))
            {
                throw new BenchException($"The device has not ended its requests for {s_patience.TotalSeconds} s.");
            }

            if (thread.Failure is { } failure)
            {
                throw failure;
            }
        }
    }

    private static DeviceResult Sum(
        DeviceOptions options, string device, List<DeviceThread> threads, double seconds, TimeSpan cpu)
    {
        var latencies = new LatencyHistogram();
        var errors = new RequestErrors();
        foreach (var thread in threads)
        {
            latencies.Add(thread.Latencies);
            errors.Add(thread.Errors);
        }

        var writes = threads.Sum(thread => thread.Writes);
        return new DeviceResult
        {
            Device = device,
            BlockBytes = options.BlockBytes,
            Depth = options.Depth,
            Threads = options.Threads,
            Seconds = seconds,
            Operations = latencies.Count,
            Reads = latencies.Count - writes,
            Writes = writes,
            Iops = latencies.Count / seconds,
            MbPerSecond = latencies.Count * (double)options.BlockBytes / seconds / 1e6,
            CpuUsPerOp = latencies.Count == 0 ? 0 : cpu.TotalMicroseconds / latencies.Count,
            MeanUs = latencies.Mean / 1e3,
            P50Us = latencies.Percentile(50) / 1e3,
            P90Us = latencies.Percentile(90) / 1e3,
            P99Us = latencies.Percentile(99) / 1e3,
            P999Us = latencies.Percentile(99.9) / 1e3,
            MaxUs = latencies.Max / 1e3,
            Errors = errors.ByText(),
        };
    }
}
