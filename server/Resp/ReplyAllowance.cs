using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>
/// How much of a reply may be written before memory is asked for. A client may not read what it is sent, and then it
/// waits: small replies do that anyway, which the client answers for by being closed at the end of memory; for others
/// memory is asked before they are written, also where the buffer that they are written to is large enough.
/// </summary>
internal struct ReplyAllowance
{
    private int _grantedBytes;

    /// <summary>What may be written of a reply for which nothing has been asked yet.</summary>
    public ReplyAllowance(int capacityBytes)
    {
        Bytes = Math.Min(capacityBytes, ServerLimits.FreeReplyBytes);
    }

    /// <summary>What may be written of a reply of <paramref name="neededBytes"/> by now.</summary>
    /// <param name="neededBytes">Its bytes.</param>
    /// <param name="takenBytes">For how many it has been asked, or need not be.</param>
    /// <param name="isGranted">Whether there was memory for them.</param>
    public ReplyAllowance(long neededBytes, long takenBytes, bool isGranted)
    {
        var isFree = neededBytes <= ServerLimits.FreeReplyBytes;
        Bytes = (int)(isFree ? Math.Min(takenBytes, ServerLimits.FreeReplyBytes) : takenBytes);
        _grantedBytes = isGranted ? Bytes : 0;
    }

    /// <summary>Bytes that may be written.</summary>
    public int Bytes { get; }

    /// <summary>Whether a reply of so many bytes is one for which there was memory when it was asked for.</summary>
    public readonly bool IsGranted(int bytes) => bytes > ServerLimits.FreeReplyBytes && bytes <= _grantedBytes;

    /// <summary>There was memory for so many bytes, which others have written.</summary>
    public void Grant(int bytes) => _grantedBytes = bytes;

    /// <summary>Asks for memory.</summary>
    /// <param name="budget">Where.</param>
    /// <param name="needed">For so many bytes.</param>
    /// <param name="held">Bytes of a buffer that is there already.</param>
    /// <param name="wanted">For how many it is asked ahead of them, and is to be taken.</param>
    /// <returns>Whether there is some.</returns>
    public static bool TryGet(MemoryBudget budget, long needed, long held, ref long wanted)
    {
        if (!WouldPassEnd(budget, wanted, held))
        {
            return true;
        }

        // No more ahead than spares most of the next growth.
        wanted = wanted <= held ? needed : needed + ServerLimits.ReplyFlushBytes;
        return !WouldPassEnd(budget, needed, held);
    }

    /// <summary>Asks for the memory of what is copied to a reply by who cannot begin anew for it.</summary>
    /// <param name="budget">Where.</param>
    /// <param name="bytes">How much; a little need not be asked for.</param>
    /// <param name="refusal">What is answered where there is none.</param>
    /// <exception cref="MemoryExhaustedException">There is none.</exception>
    public static void AskForCopy(MemoryBudget budget, long bytes, string refusal)
    {
        if (bytes > ServerLimits.FreeReplyBytes && budget.WouldPassEndNow(bytes))
        {
            throw new MemoryExhaustedException(refusal);
        }
    }

    /// <summary>What was given up and is not free yet counts: a command waits for that, if it must.</summary>
    private static bool WouldPassEnd(MemoryBudget budget, long bytes, long held)
        => budget.WouldPassEndNow(BytesTakenFor(bytes, held));

    /// <summary>What a reply takes beyond what is held: also where it waits for the client to read. That is a copy, but
    /// of a large one, which waits where it was written.</summary>
    private static long BytesTakenFor(long bytes, long held)
        => Math.Max(0, BufferPool.BytesTakenFor(bytes) - held)
            + (bytes <= ServerLimits.MaxGatheredBytes ? bytes : 0);
}
