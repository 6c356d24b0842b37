using Strata.Storage.Devices.Files;
using Strata.Storage.Devices.Native;

namespace Strata.Storage.Devices;

/// <summary>A queue of the native library. The library knows a request by its slot.</summary>
internal sealed unsafe class NativeQueue : FileQueue
{
    private readonly nint _queue;

    /// <summary>Opens a queue for this thread.</summary>
    /// <exception cref="DeviceException">The kernel gives none.</exception>
    public NativeQueue(FileDevice device, SegmentFiles files, DeviceBackend backend, int depth)
        : base(device, files, depth)
    {
        var options = new NativeQueueOptions { Backend = NativeProbe.NumberOf(backend), Depth = (uint)depth };
        nint queue;
        int errno;
        var status = DeviceLibrary.OpenQueue(&options, &queue, &errno);
        if (status != NativeConstants.Ok)
        {
            throw new DeviceException(
                $"cannot open a queue of {BackendChoice.NameOf(backend)}: {BackendChoice.Describe(backend, errno)}");
        }

        _queue = queue;
        CompletionDescriptor = DeviceLibrary.Descriptor(queue);
    }

    /// <inheritdoc/>
    public override int CompletionDescriptor { get; }

    /// <inheritdoc/>
    public override int Register(byte* memory, long bytes)
    {
        int errno;
        var status = DeviceLibrary.Register(_queue, memory, (ulong)bytes, &errno);
        Invariant.Check(status != NativeConstants.EArgument, "the memory is within bounds");
        return errno;
    }

    /// <inheritdoc/>
    protected override void Prepare(int slot, SegmentFile file, long offset, in Transfer transfer)
    {
        var status = transfer.IsWrite
            ? DeviceLibrary.Write(
                _queue, file.Descriptor, (ulong)offset, transfer.Buffer, (uint)transfer.Bytes, (ulong)slot)
            : DeviceLibrary.Read(
                _queue, file.Descriptor, (ulong)offset, transfer.Buffer, (uint)transfer.Bytes, (ulong)slot);
        Invariant.Check(status == NativeConstants.Ok, "the library's queue is as deep as this one");
    }

    /// <inheritdoc/>
    protected override void SubmitPrepared()
        => Invariant.Check(DeviceLibrary.Submit(_queue) == NativeConstants.Ok, "a queue takes submissions");

    /// <inheritdoc/>
    protected override int Collect(Span<DeviceCompletion> completions, int least)
    {
        if (least == 0 && DeviceLibrary.IsReady(_queue) == 0)
        {
            return 0;
        }

        uint reaped;
        int errno;
        int status;
        fixed (DeviceCompletion* first = completions)
        {
            status = DeviceLibrary.Reap(_queue, first, (uint)completions.Length, (uint)least, &reaped, &errno);
        }

        Invariant.Check(status == NativeConstants.Ok, "the kernel lets the thread that opened a queue wait for it");
        return (int)reaped;
    }

    /// <inheritdoc/>
    protected override bool Arm() => DeviceLibrary.Arm(_queue) != 0;

    /// <inheritdoc/>
    protected override void Stop()
        => Invariant.Check(DeviceLibrary.StopQueue(_queue) == NativeConstants.Ok, "a queue can be stopped");

    /// <inheritdoc/>
    protected override void Free()
        => Invariant.Check(DeviceLibrary.CloseQueue(_queue) == NativeConstants.Ok, "a queue can be closed");
}
