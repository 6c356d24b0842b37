using System.ComponentModel;
using System.Runtime.InteropServices;
using Strata.Bench.Keys;
using Strata.Storage.Devices;

namespace Strata.Bench.Device;

/// <summary>Writes a device whole before it is measured: a file system answers reads of what was never written without
/// asking the disk.</summary>
internal sealed unsafe class DeviceFill : IDisposable
{
    /// <summary>Writes in flight.</summary>
    public const int Pieces = 8;

    private const int PieceBytes = 1 << 20;

    private readonly byte* _buffer;
    private readonly long _bytes;
    private readonly Action<double> _onProgress;
    private Exception? _fault;
    private long _startedBytes;
    private long _endedBytes;

    private DeviceFill(long bytes, Action<double> onProgress)
    {
        _bytes = bytes;
        _onProgress = onProgress;
        _buffer = (byte*)NativeMemory.AlignedAlloc(PieceBytes, 4096);
        var random = new SplitMix64(1);
        foreach (ref var word in new Span<ulong>(_buffer, PieceBytes / sizeof(ulong)))
        {
            word = random.Next(); // A disk that compresses, or knows zeros, gets nothing from it.
        }
    }

    /// <summary>Writes <paramref name="bytes"/> from the start on; the progress is from 0 to 1.</summary>
    /// <exception cref="BenchException">A write failed.</exception>
    /// <exception cref="DeviceException">The kernel gives no queue.</exception>
    public static void Write(IDevice device, long bytes, Action<double> onProgress)
    {
        using var fill = new DeviceFill(bytes, onProgress);
        fill.Run(device);
    }

    public void Dispose() => NativeMemory.AlignedFree(_buffer);

    private void Run(IDevice device)
    {
        using var channel = new DeviceChannel(device, Pieces, fault => _fault ??= fault);
        for (var i = 0; i < Pieces; i++)
        {
            new Piece(this, channel).Begin();
        }

        channel.Submit();
        while (!channel.IsIdle)
        {
            channel.Complete(least: 1);
            _onProgress((double)_endedBytes / _bytes);
        }

        if (_fault is { } fault)
        {
            throw fault is BenchException ? fault : new BenchException(fault.Message, fault);
        }
    }

    private sealed class Piece(DeviceFill fill, DeviceChannel channel) : DeviceRequest
    {
        private long _offset;
        private int _bytes;

        public void Begin()
        {
            _offset = fill._startedBytes;
            _bytes = (int)Math.Min(PieceBytes, fill._bytes - _offset);
            if (_bytes > 0 && fill._fault == null)
            {
                fill._startedBytes += _bytes;
                channel.Write(this, _offset, fill._buffer, _bytes);
            }
        }

        protected internal override void OnCompleted(int result)
        {
            if (result != _bytes)
            {
                var why = result < 0 ? new Win32Exception(-result).Message : $"{result} of {_bytes} bytes";
                throw new BenchException($"Cannot write the file at byte {_offset}: {why}.");
            }

            fill._endedBytes += _bytes;
            Begin();
        }
    }
}
