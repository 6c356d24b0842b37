namespace Strata.Storage.Memory;

/// <summary>
/// What the server holds against <c>maxmemory</c>: index, log and connection buffers. Charged in coarse steps (a page,
/// a slab), so that one shared counter costs nothing per command. A limit set below what is held is reached by gliding:
/// growth from there on is paid for at once, the rest is given up step by step.
/// </summary>
public sealed class MemoryBudget
{
    private long _usedBytes;
    private long _retiredBytes;
    private long _leavingBytes;
    private long _uncollectedBytes;
    private long _beyondBytes;
    private long _peakBytes;
    private long _limitBytes;
    private long _glideBytes;
    private int _shortages;
    private long _shortBytes;

    /// <summary>An empty budget without a limit.</summary>
    public MemoryBudget()
    {
        Buffers = new BufferPool(this);
    }

    /// <summary>Where buffers come from.</summary>
    public BufferPool Buffers { get; }

    /// <summary>Bytes charged now.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>Bytes of <see cref="UsedBytes"/> that were given up and become free by themselves, when no reader can
    /// look at them any more.</summary>
    public long RetiredBytes => Volatile.Read(ref _retiredBytes);

    /// <summary>Bytes of <see cref="UsedBytes"/> that go as soon as the commands at work have ended.</summary>
    public long LeavingBytes => Volatile.Read(ref _leavingBytes);

    /// <summary>Bytes of <see cref="UsedBytes"/> that the process holds beyond all that is charged by itself.</summary>
    public long BeyondBytes => Volatile.Read(ref _beyondBytes);

    /// <summary>Whether somebody collects managed memory that was given up (<see cref="TakeUncollected"/>).</summary>
    public bool IsWatched { get; set; }

    /// <summary>The most that was ever charged, bytes.</summary>
    public long PeakBytes => Math.Max(Volatile.Read(ref _peakBytes), UsedBytes);

    /// <summary>The limit in bytes; 0 is none.</summary>
    public long LimitBytes
    {
        get => Volatile.Read(ref _limitBytes);
        set
        {
            // What is held beyond the limit so far is not where gliding begins: the end would move away each time.
            var most = LimitBytes == 0 ? long.MaxValue : GlideLimitBytes;
            var held = Math.Min(HeldBytes, most);
            Volatile.Write(ref _glideBytes, held > value ? held : 0);
            Volatile.Write(ref _limitBytes, value);
        }
    }

    /// <summary>Whether more is held than the limit allows.</summary>
    public bool IsOver => WouldExceed(0);

    /// <summary>Whether something may be taken without giving anything up: neither is more held than the limit allows,
    /// nor does too much of what was given up wait to become free.</summary>
    public bool HasRoom
    {
        get
        {
            var limit = LimitBytes;
            if (limit == 0)
            {
                return true;
            }

            var taken = TakenBytes;
            return taken - RetiredBytes <= limit && taken <= limit + (limit / Limits.RetiredShare);
        }
    }

    /// <summary>Whether more is held than may be while nothing is given up for it at once: by commands that are still
    /// arriving, and while CLIENT PAUSE holds eviction.</summary>
    public bool IsFarOver => WouldExceed(-LimitBytes / Limits.OverShare);

    /// <summary>Whether no more may be taken for what nothing can be given up (<see cref="WouldPassEnd"/>).</summary>
    public bool IsAtEnd => LimitBytes != 0 && IsPastEnd(1);

    /// <summary>How often somebody has asked for what was not to be had: a number that changes when it has happened.
    /// </summary>
    public int Shortages => Volatile.Read(ref _shortages);

    /// <summary>Whether there is less memory than who asked for some last needs.</summary>
    public bool IsShort => LimitBytes != 0 && (IsFarOver || IsPastEnd(Volatile.Read(ref _shortBytes)));

    /// <summary>Somebody needs memory, and nothing can be given up for it.</summary>
    /// <param name="bytes">How much, as far as is known.</param>
    public void NoteShortage(long bytes = 0)
    {
        Volatile.Write(ref _shortBytes, bytes);
        Interlocked.Increment(ref _shortages);
    }

    /// <summary>Whether <paramref name="bytes"/> more, for what nothing can be given up at this moment, are out of the
    /// question: of what reading commands answer, and what is sent to those who do not read. Buffers that nobody uses
    /// are given up for them.</summary>
    public bool WouldPassEnd(long bytes) => PassesEnd(bytes, retired: 0);

    /// <summary>The same of bytes that are taken at once, while what was given up is still there: whoever refuses them
    /// can wait for that, or have others wait.</summary>
    /// <inheritdoc cref="WouldPassEnd"/>
    public bool WouldPassEndNow(long bytes) => PassesEnd(bytes, RetiredBytes);

    /// <summary>To be called before a command that has changed nothing takes memory for a large value which it makes of
    /// others: what a client has sent was charged as it arrived, but this may be any number of bytes. What was given up
    /// and is not free yet counts, since it can be waited for.</summary>
    /// <param name="bytes">What is taken beyond what is held.</param>
    /// <param name="neededBytes">What must stay meanwhile, of what could be given up: the others.</param>
    /// <param name="madeBytes">What was taken for the value by now, and is held: it goes if there is no more.</param>
    /// <exception cref="NoRoomException">It would pass the end.</exception>
    /// <exception cref="MemoryExhaustedException">It would, whatever else was given up.</exception>
    public void AskForValue(long bytes, long neededBytes, long madeBytes = 0)
    {
        const string Message = "command not allowed when used memory > 'maxmemory'.";
        if (bytes > 0 && WouldPassEndNow(bytes))
        {
            throw madeBytes + bytes + neededBytes > LimitBytes && LenienceScope.Current == Lenience.None
                ? new MemoryExhaustedException(Message)
                : new NoRoomException(madeBytes + bytes, Message);
        }
    }

    /// <summary>Whether so many bytes are out of the question though nothing else were held.</summary>
    public bool CanNeverHold(long bytes) => LimitBytes is not 0 and var limit && bytes > EndOf(limit);

    /// <summary>Whether there is room for so many bytes below the end of memory, while what was given up is still
    /// there. Of what can wait for it: nothing is given up for its sake.</summary>
    public bool HasRoomBelowEnd(long bytes) => LimitBytes == 0 || !IsPastEnd(bytes + RetiredBytes);

    private bool PassesEnd(long bytes, long retired)
    {
        var more = bytes + retired;
        if (LimitBytes == 0 || !IsPastEnd(more) || (Buffers.ReleaseIdle() && !IsPastEnd(more))
            || LenienceScope.Current == Lenience.Takes)
        {
            return false;
        }

        NoteShortage(CanNeverHold(bytes) ? 0 : more); // For what cannot be had nobody needs to go.
        return true;
    }

    private bool IsPastEnd(long bytes)
        => HeldBytes + bytes > EndOf(GlideLimitBytes);

    private static long EndOf(long limit) => limit + (limit / Limits.EndShare) + Limits.EndBytes;

    /// <summary>Whether so much of what was given up waits to become free that this has to come first: to give up more
    /// would only make it more.</summary>
    public bool IsBehind
    {
        get
        {
            var limit = LimitBytes;
            var share = limit / Limits.RetiredShare;
            return limit != 0 && RetiredBytes > share
                && TakenBytes > GlideLimitBytes + share;
        }
    }

    /// <summary>Whether more is held than may be held at this moment: after the limit was lowered, more than was held
    /// after the last step towards it.</summary>
    public bool IsOverGlide
    {
        get
        {
            var limit = LimitBytes;
            return limit != 0 && HeldBytes > GlideLimitBytes;
        }
    }

    /// <summary>Says of the memory that is about to be taken for data, bytes, whether there is none; null but in tests,
    /// since the machine does not run out when it should.</summary>
    internal Func<long, bool>? Refuses { get; set; }

    private long HeldBytes => TakenBytes - RetiredBytes;

    /// <summary>The limit, or where gliding towards it is, bytes.</summary>
    private long GlideLimitBytes => Math.Max(LimitBytes, Volatile.Read(ref _glideBytes));

    private long TakenBytes => UsedBytes - LeavingBytes;

    /// <summary>Whether <paramref name="bytes"/> more would go over the limit.</summary>
    public bool WouldExceed(long bytes)
    {
        var limit = LimitBytes;
        return limit != 0 && HeldBytes + bytes > limit;
    }

    /// <summary>To be called before memory for data is taken from the system.</summary>
    /// <exception cref="MemoryExhaustedException">A test says that there is none.</exception>
    internal void Ask(long bytes)
    {
        if (Refuses?.Invoke(bytes) == true)
        {
            throw new MemoryExhaustedException();
        }
    }

    /// <summary>Adds (or with a negative number takes off) bytes.</summary>
    public void Charge(long bytes)
    {
        var used = Interlocked.Add(ref _usedBytes, bytes);
        if (used > Volatile.Read(ref _peakBytes))
        {
            Volatile.Write(ref _peakBytes, used);
        }
    }

    /// <summary>Notes that charged bytes were given up, or with a negative number, that they are free or in use again.
    /// </summary>
    public void Retire(long bytes) => Interlocked.Add(ref _retiredBytes, bytes);

    /// <summary>Notes that charged bytes of managed memory were given up, all at once: they count as retired until they
    /// are collected.</summary>
    public void LeaveToCollector(long bytes)
    {
        if (IsWatched)
        {
            Retire(bytes);
            Interlocked.Add(ref _uncollectedBytes, bytes);
        }
        else
        {
            Charge(-bytes);
        }
    }

    /// <summary>Takes off what was left to the collector. The process holds it until that has come to it.</summary>
    public void TakeUncollected()
    {
        var bytes = Interlocked.Exchange(ref _uncollectedBytes, 0);
        Charge(-bytes);
        Retire(-bytes);
    }

    /// <summary>Charges what the process holds and nobody has charged, in place of what was charged so far.</summary>
    public void ChargeBeyond(long bytes) => Charge(bytes - Interlocked.Exchange(ref _beyondBytes, bytes));

    /// <summary>Notes that charged bytes go as soon as the command at work has ended, or with a negative number, that
    /// they are held again: nothing is given up for their sake.</summary>
    public void Leave(long bytes) => Interlocked.Add(ref _leavingBytes, bytes);

    /// <summary>Notes that a step towards a lowered limit was made: what is held now is the most from here on.
    /// </summary>
    public void Glide()
    {
        var held = HeldBytes;
        if (held < Volatile.Read(ref _glideBytes))
        {
            Volatile.Write(ref _glideBytes, held);
        }
    }
}
