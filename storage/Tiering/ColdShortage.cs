namespace Strata.Storage.Tiering;

/// <summary>What a set of cold records was asked for beyond what memory has room for: not even what is known of a read
/// is taken for it. Commands that need it give back all they have, and begin anew when there is room, or are refused.
/// </summary>
internal struct ColdShortage
{
    private bool _isOverridden;

    /// <summary>How many reads there is no memory for.</summary>
    public long Reads { get; private set; }

    /// <summary>Whether another read is to be refused; otherwise it can be asked for once more.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>Asks for one more read. A single one is always taken, and so are those of few sets.</summary>
    /// <param name="worker">Whose reads they are.</param>
    /// <param name="count">How many the set has.</param>
    /// <param name="mostBytes">What they may hold together, bytes.</param>
    /// <returns>Whether it may be taken.</returns>
    public bool TryTake(TierWorker worker, int count, long mostBytes)
    {
        if (IsRefused)
        {
            return false;
        }

        var isTaken = Reads == 0 && (count == 0 || HasRoom(worker, count, mostBytes));
        Reads += isTaken ? 0 : 1;
        return isTaken;
    }

    /// <summary>What was asked for will be asked for again.</summary>
    public void Forget() => Reads = 0;

    /// <summary>From here on all are taken, or none.</summary>
    public void End(bool isTaken) => (_isOverridden, IsRefused) = (isTaken, !isTaken);

    private readonly bool HasRoom(TierWorker worker, int count, long mostBytes)
        => _isOverridden
            || (count < mostBytes / ColdRead.LeastHeldBytes
                && (worker.ColdAsks < Limits.ManyColdReads
                    || !worker.Budget.WouldPassEndNow(ColdReadList.BytesPerAsk)));
}
