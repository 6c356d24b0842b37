using System.Runtime.InteropServices;
using NUnit.Framework;
using Strata.Bench.Keys;
using Strata.Storage.Devices;
using Strata.Storage.Interop;

namespace Strata.Tests.Storage.Devices;

/// <summary>
/// A device in memory whose faults, delays and order come from a seed: the same seed and the same calls give the same
/// results. It has no threads and no clock. Time is counted in turns: each <see cref="IDeviceQueue.Reap"/> is one, and
/// a request moves its bytes when it ends, not when it is submitted. Threads exclude each other, but then their order
/// decides what the seed means.
/// </summary>
internal sealed class SimulatedDevice : IDevice
{
    public const int Sector = 512;
    public const int QueueDepth = 1024;
    private const long MaxSegmentBytes = 1L << 30;

    private readonly Dictionary<long, SimulatedSegment> _segments = [];
    private readonly List<SimulatedQueue> _queues = [];
    private readonly Lock _gate = new();
    private SplitMix64 _random;
    private long _turn;
    private bool _isDisposed;

    public SimulatedDevice(ulong seed, long segmentBytes = long.MaxValue)
    {
        Assert.That(segmentBytes == long.MaxValue || (segmentBytes >= Sector && long.IsPow2(segmentBytes)));
        _random = new SplitMix64(seed);
        SegmentBytes = segmentBytes;
    }

    /// <summary>What goes wrong from now on.</summary>
    public SimulatedFaults Faults { get; } = new();

    /// <summary>What happened so far.</summary>
    public SimulatedCounts Counts { get; } = new();

    /// <summary>Whether a loss of power (<see cref="Crash"/>) takes what was not synced, or parts of it.</summary>
    public bool ForgetsUnsynced { get; set; }

    /// <summary>How many syncs of segments succeed before one fails; negative for all.</summary>
    public int SyncsBeforeFailure { get; set; } = -1;

    /// <summary>Bytes that all segments take.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>Numbers of the segments that there are.</summary>
    public IReadOnlyCollection<long> Segments => _segments.Keys;

    /// <summary>Queues that are open and not dead.</summary>
    public int Queues => _queues.Count;

    public int SectorBytes => Sector;

    public long SegmentBytes { get; }

    public void Initialize()
    {
        // There is nothing to find out.
    }

    /// <summary>Lets a kind of fault begin, or all of them end.</summary>
    public void Vary(Random random)
    {
        switch (random.Next(6))
        {
            case 0:
                FillUp();
                break;
            case 1:
                Faults.FailEverything(Errno.InputOutput);
                break;
            case 2:
                Faults.SetRates(0.25);
                Faults.BitFlipRate = 0.1;
                break;
            case 3:
                Faults.DelayRate = 0.7;
                Faults.ReorderRate = 0.7;
                break;
            default:
                Faults.Heal();
                break;
        }
    }

    /// <summary>Leaves no room for writes beyond what is there.</summary>
    public void FillUp() => Faults.CapacityBytes = UsedBytes;

    /// <summary>Another device that holds the same, and has no faults.</summary>
    public SimulatedDevice Copy()
    {
        lock (_gate)
        {
            var copy = new SimulatedDevice(seed: 1, SegmentBytes) { UsedBytes = UsedBytes };
            foreach (var (number, segment) in _segments)
            {
                copy._segments[number] = segment.Copy();
            }

            return copy;
        }
    }

    /// <summary>Inverts every bit of a range that was written, as a medium that rots.</summary>
    public void Corrupt(long segment, int offset, int bytes)
    {
        lock (_gate)
        {
            foreach (ref var b in _segments[segment].Bytes.Slice(offset, bytes))
            {
                b = (byte)~b;
            }
        }
    }

    /// <summary>
    /// The power fails. Of each write under way any sectors may have been written; all queues are dead: their requests
    /// end with ECANCELED. Opened anew, the device has what it kept.
    /// </summary>
    public void Crash()
    {
        lock (_gate)
        {
            Counts.Crashes++;
            foreach (var queue in _queues)
            {
                foreach (var request in queue.Submitted)
                {
                    if (request.IsWrite && Locate(request, out var number, out var offset))
                    {
                        Tear(request, number, offset);
                    }
                }
            }

            KillQueues();
            foreach (var segment in _segments.Values.Where(_ => ForgetsUnsynced))
            {
                var before = segment.SizeBytes;
                segment.CutPower(most => (int)_random.NextBelow(most));
                UsedBytes += segment.SizeBytes - before;
            }
        }
    }

    public long SizeOf(long segment)
    {
        lock (_gate)
        {
            return _segments.TryGetValue(segment, out var found) ? found.SizeBytes : 0;
        }
    }

    public IDeviceQueue OpenQueue()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            var queue = new SimulatedQueue(this);
            _queues.Add(queue);
            return queue;
        }
    }

    public void PrepareSegment(long segment)
    {
        // There is nothing to make.
    }

    public void SyncSegment(long segment)
    {
        lock (_gate)
        {
            var found = ForgetsUnsynced ? _segments.GetValueOrDefault(segment) : null;
            if (SyncsBeforeFailure-- == 0)
            {
                found?.FailSync(most => (int)_random.NextBelow(most));
                throw new DeviceException($"cannot sync segment {segment}");
            }

            found?.Sync();
        }
    }

    public void RemoveSegment(long segment)
    {
        lock (_gate)
        {
            if (_segments.Remove(segment, out var removed))
            {
                UsedBytes -= removed.SizeBytes;
                foreach (var queue in _queues)
                {
                    foreach (var request in queue.Submitted)
                    {
                        if (Locate(request, out var number, out _) && number == segment)
                        {
                            request.RemovedSegment ??= removed;
                        }
                    }
                }
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            KillQueues();
            _segments.Clear();
            UsedBytes = 0;
        }
    }

    /// <summary>Starts requests.</summary>
    internal void Submit(SimulatedQueue queue, List<SimulatedRequest> requests)
    {
        lock (_gate)
        {
            Counts.Submits++;
            foreach (var request in requests)
            {
                request.DueTurn = _turn + 1;
                if (!queue.IsDead && Chance(Faults.DelayRate))
                {
                    Counts.Delays++;
                    request.DueTurn += 1 + _random.NextBelow(Faults.MaxDelayTurns);
                }

                if (!queue.IsDead && request.IsWrite && request.IsAligned)
                {
                    request.Snapshot = request.Data.ToArray();
                }

                queue.Submitted.Add(request);
            }
        }
    }

    /// <summary>Whether the next turn will end a request.</summary>
    internal bool HasFinished(SimulatedQueue queue)
    {
        lock (_gate)
        {
            return NextToEnd(queue, _turn + 1, mayReorder: false) >= 0;
        }
    }

    /// <summary>Takes turns until enough requests have ended, at least one.</summary>
    internal int Reap(SimulatedQueue queue, Span<DeviceCompletion> completions, int least)
    {
        lock (_gate)
        {
            Counts.Reaps++;
            var wanted = Math.Min(Math.Min(least, queue.Submitted.Count), completions.Length);
            var count = 0;
            do
            {
                _turn++;
                int next;
                while (count < completions.Length && (next = NextToEnd(queue, _turn, mayReorder: true)) >= 0)
                {
                    var request = queue.Submitted[next];
                    var result = queue.IsDead ? -Errno.Canceled : End(request);
                    queue.Submitted.RemoveAt(next);
                    completions[count++] = new DeviceCompletion(request.Token, result);
                }
            }
            while (count < wanted);
            return count;
        }
    }

    /// <summary>A queue is being disposed: nobody is told of its requests any more, but writes that a disk has begun
    /// it ends.</summary>
    internal void Forget(SimulatedQueue queue)
    {
        lock (_gate)
        {
            foreach (var request in queue.Submitted)
            {
                if (request.IsWrite && !queue.IsDead)
                {
                    _ = End(request); // As a disk's answer to a process that has gone.
                }
            }

            queue.Submitted.Clear();
            _queues.Remove(queue);
        }
    }

    private void KillQueues()
    {
        foreach (var queue in _queues)
        {
            queue.IsDead = true;
            queue.Signal();
        }

        _queues.Clear();
    }

    private bool Chance(double rate) => rate > 0 && _random.NextDouble() < rate;

    private int NextToEnd(SimulatedQueue queue, long turn, bool mayReorder)
    {
        var due = queue.Submitted.FindIndex(request => queue.IsDead || request.DueTurn <= turn);
        if (due < 0 || queue.IsDead || !mayReorder || !Chance(Faults.ReorderRate))
        {
            return due;
        }

        var other = (int)_random.NextBelow(queue.Submitted.Count);
        if (other <= due || queue.Submitted[other].DueTurn > turn)
        {
            return due;
        }

        Counts.Reorderings++;
        return other;
    }

    private bool Locate(SimulatedRequest request, out long number, out int offset)
    {
        var isBounded = SegmentBytes != long.MaxValue;
        number = isBounded ? request.Offset / SegmentBytes : 0;
        var within = isBounded ? request.Offset % SegmentBytes : request.Offset;
        offset = (int)within;
        return request.IsAligned && request.Bytes <= SegmentBytes - within
            && (!request.IsWrite || within <= MaxSegmentBytes - request.Bytes);
    }

    private int End(SimulatedRequest request)
    {
        int result;
        if (!Locate(request, out var number, out var offset))
        {
            result = -Errno.InvalidArgument;
        }
        else if (request.IsWrite)
        {
            Counts.Writes++;
            result = Write(request, number, offset);
        }
        else
        {
            Counts.Reads++;
            result = Read(request, number, offset);
        }

        Counts.Errors += result < 0 ? 1 : 0;
        Counts.NoSpaceErrors += result == -Errno.NoSpace ? 1 : 0;
        return result;
    }

    private int Read(SimulatedRequest request, long number, long offset)
    {
        if (Faults.ReadErrno != 0)
        {
            return -Faults.ReadErrno;
        }

        var data = request.Data;
        if (Chance(Faults.ReadErrorRate))
        {
            Scribble(data);
            return -Errno.InputOutput;
        }

        if ((request.RemovedSegment ?? _segments.GetValueOrDefault(number)) is not { } segment)
        {
            return -Errno.NoEntry;
        }

        var bytes = (int)Math.Clamp(segment.SizeBytes - offset, 0, data.Length);
        if (bytes > 0 && Chance(Faults.ShortReadRate))
        {
            Counts.ShortReads++;
            bytes = (int)_random.NextBelow((bytes + Sector - 1) / Sector) * Sector;
        }

        segment.Bytes.Slice((int)Math.Min(offset, segment.SizeBytes), bytes).CopyTo(data);
        MixWithWritesUnderWay(request, data[..bytes]);
        if (bytes > 0 && Chance(Faults.BitFlipRate))
        {
            Counts.BitFlips++;
            data[(int)_random.NextBelow(bytes)] ^= (byte)(1 << (int)_random.NextBelow(8));
        }

        return bytes;
    }

    // A read beside a write that has not ended brings any of its sectors, the new or the old.
    private void MixWithWritesUnderWay(SimulatedRequest read, Span<byte> data)
    {
        foreach (var queue in _queues)
        {
            foreach (var write in queue.Submitted)
            {
                var from = Math.Max(read.Offset, write.Offset);
                var to = Math.Min(read.Offset + data.Length, write.Offset + write.Snapshot.Length);
                for (; from < to && read.RemovedSegment == null; from += Sector)
                {
                    if (Chance(0.5))
                    {
                        write.Snapshot.AsSpan((int)(from - write.Offset), Sector)
                            .CopyTo(data[(int)(from - read.Offset)..]);
                    }
                }
            }
        }
    }

    private int Write(SimulatedRequest request, long number, int offset)
    {
        if (Faults.WriteErrno != 0)
        {
            return -Faults.WriteErrno;
        }

        if (UsedBytes + GrowthOf(request, number, offset + request.Bytes) > Faults.CapacityBytes)
        {
            return -Errno.NoSpace;
        }

        // The memory may have changed since the submit: either may have gone to the disk, sector by sector.
        for (var at = 0; at < request.Bytes; at += Sector)
        {
            if (Chance(0.5))
            {
                request.Data.Slice(at, Sector).CopyTo(request.Snapshot.AsSpan(at));
            }
        }

        var errno = Chance(Faults.WriteErrorRate) ? Errno.InputOutput : Chance(Faults.NoSpaceRate) ? Errno.NoSpace : 0;
        if (errno != 0)
        {
            Tear(request, number, offset);
            return -errno;
        }

        Store(request.RemovedSegment, number, offset, request.Snapshot);
        return request.Bytes;
    }

    private void Tear(SimulatedRequest request, long number, int offset)
    {
        for (var at = 0; at < request.Bytes; at += Sector)
        {
            if (Chance(0.5) && UsedBytes + GrowthOf(request, number, offset + at + Sector) <= Faults.CapacityBytes)
            {
                Counts.TornSectorsKept++;
                Store(request.RemovedSegment, number, offset + at, request.Snapshot.AsSpan(at, Sector));
            }
            else
            {
                Counts.TornSectorsLost++;
            }
        }
    }

    private long GrowthOf(SimulatedRequest request, long number, long end)
    {
        var sizeBytes = _segments.TryGetValue(number, out var segment) ? segment.SizeBytes : 0;
        return request.RemovedSegment != null ? 0 : Math.Max(0, end - sizeBytes);
    }

    private void Store(SimulatedSegment? removed, long number, int offset, ReadOnlySpan<byte> bytes)
    {
        if (removed != null)
        {
            removed.Write(offset, bytes);
            return;
        }

        ref var segment = ref CollectionsMarshal.GetValueRefOrAddDefault(_segments, number, out _);
        segment ??= new SimulatedSegment();
        UsedBytes += segment.Write(offset, bytes);
        if (ForgetsUnsynced)
        {
            segment.NoteUnsynced(offset, bytes);
        }
    }

    private void Scribble(Span<byte> data)
    {
        foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(data))
        {
            word = _random.Next();
        }
    }
}
