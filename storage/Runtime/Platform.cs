using Strata.Storage.Interop;

namespace Strata.Storage.Runtime;

/// <summary>
/// All that the storage and the server take from outside and that is another at each run: the clock, where workers
/// wait, random numbers. Whoever gives a platform of its own decides about all of it, and so makes a run that can be
/// repeated. But for the clock, <see cref="AwaitOthers"/> and <see cref="OnLeaseAwaited"/>, the members are called when
/// things are made, not on the way of a command; any thread.
/// </summary>
public class Platform
{
    private const int MaxSecretBytes = 256;

    /// <summary>The machine's own.</summary>
    public static Platform Machine { get; } = new();

    /// <summary>The wall clock, and timestamps in ticks of <see cref="System.Diagnostics.Stopwatch"/>, whose frequency
    /// every clock must have.</summary>
    public virtual TimeProvider Clock => TimeProvider.System;

    /// <summary>Random numbers for one owner, who alone uses them: a shard under its lease, a worker on its thread.
    /// </summary>
    public virtual Random CreateRandom() => new();

    /// <summary>Fills <paramref name="bytes"/> with what nobody can guess.</summary>
    // From the kernel itself: the framework's generator would load OpenSSL for it, 3 MB and some milliseconds at start.
    public virtual unsafe void FillSecret(Span<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            Invariant.Check(bytes.Length <= MaxSecretBytes, "the kernel gives so much in one piece");
            var isFilled = Libc.GetRandom(start, (nuint)bytes.Length, 0) == bytes.Length;
            Invariant.Check(isFilled, "the kernel gives random bytes");
        }
    }

    /// <summary>Whether threads run beside the workers: otherwise these do their work, too.</summary>
    public virtual bool HasThreads => true;

    /// <summary>Lets other workers go on with what the calling one needs from them and cannot go on without: called
    /// again and again until it is there.</summary>
    /// <param name="wait">The wait, a default one at its begin.</param>
    public virtual void AwaitOthers(ref SpinWait wait) => wait.SpinOnce();

    /// <summary>Called when a worker has found a lease taken that the command at work needs, which waits for it from
    /// here on. On the worker's thread.</summary>
    /// <param name="worker">The worker's number.</param>
    /// <param name="lease">The lease's number.</param>
    public virtual void OnLeaseAwaited(int worker, int lease)
    {
        // It is for who watches.
    }

    /// <summary>What the next worker waits with.</summary>
    /// <exception cref="IOException">No file descriptors are to be had.</exception>
    public virtual IPoller CreatePoller() => new EpollPoller();
}
