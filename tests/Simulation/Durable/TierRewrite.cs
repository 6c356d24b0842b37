using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Server.Persistence;
using Strata.Storage.Tiering;

namespace Strata.Tests.Simulation.Durable;

/// <summary>A rewrite of a simulated server's journal, whose base is a checkpoint as long as the tier is trusted. The
/// journal's thread does a turn whenever it is waited for.</summary>
/// <param name="tier">The tier.</param>
/// <param name="files">The journal's files.</param>
/// <param name="thread">What writes them; it does not run.</param>
/// <param name="last">The number of the newest batch of effects.</param>
internal sealed class TierRewrite(Tier tier, JournalFiles files, JournalThread thread, Func<long> last) : ISnapshotEnd
{
    private readonly JournalBaseKind _kind = tier.IsDurable ? JournalBaseKind.Checkpoint : JournalBaseKind.Rdb;
    private TaskCompletionSource<long> _rotated = new();
    private long _number;

    /// <summary>Whether it has ended, however.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>What it has come to; null while it has not.</summary>
    public SnapshotOutcome? Outcome { get; private set; }

    /// <summary>Whether it makes a checkpoint.</summary>
    public bool IsCheckpoint => _kind == JournalBaseKind.Checkpoint;

    /// <summary>What is to be asked of the snapshots.</summary>
    public SnapshotRequest ToRequest() => new()
    {
        Kind = SnapshotKind.Rewrite,
        Base = _kind,
        CheckpointNumber = IsCheckpoint ? () => _number : null,
        AtMoment = OnMoment,
        Open = Open,
        End = this,
    };

    /// <inheritdoc/>
    public void OnEnded(SnapshotOutcome outcome)
    {
        HasEnded = true;
        Outcome = outcome;
    }

    private void OnMoment()
    {
        var rotated = _rotated = new TaskCompletionSource<long>();
        thread.Keeper.RotateBehind(new JournalRotation(last(), Next: null, rotated));
        _number = tier.Checkpoints.Begin();
    }

    private File Open()
    {
        try
        {
            return new File(this, new JournalBaseFile(files, _kind, syncsByAndBy: true)
            {
                Thread = thread,
                Rotated = _rotated.Task,
                IsGivenUp = LetJournalGoOn,
                Tier = tier,
                Number = _number,
            });
        }
        catch
        {
            tier.Checkpoints.OnGivenUp(_number);
            throw;
        }
    }

    private bool LetJournalGoOn()
    {
        // What came together may be several batches; what has ended for one is taken by the next.
        for (var idle = 0; idle < 3; idle++)
        {
            idle = thread.Keeper.Turn() ? 0 : idle;
        }

        return false;
    }

    /// <summary>The base, before whose end the journal goes on in another file.</summary>
    private sealed class File(TierRewrite owner, JournalBaseFile inner) : ISnapshotFile
    {
        /// <inheritdoc/>
        public void Write(ReadOnlySpan<byte> bytes) => inner.Write(bytes);

        /// <inheritdoc/>
        public void WriteOver(long offset, ReadOnlySpan<byte> bytes) => inner.WriteOver(offset, bytes);

        /// <inheritdoc/>
        public void EndPart() => inner.EndPart();

        /// <inheritdoc/>
        public void Commit()
        {
            _ = owner.LetJournalGoOn();
            inner.Commit();
        }

        /// <inheritdoc/>
        public void Discard() => inner.Discard();
    }
}
