using Strata.Server.Journal.Files;
using Strata.Server.Options;
using Strata.Server.Persistence;
using Strata.Storage.Tiering;

namespace Strata.Server.Journal;

/// <summary>One rewrite of the journal, which may be begun anew: at its moment the journal goes on in another file, and
/// what the snapshot writes becomes the base. Where there is a tier whose files outlive the process, and a journal that
/// follows what becomes of them, that is a checkpoint.</summary>
/// <param name="service">The journal.</param>
/// <param name="tier">The tier; null where there is none.</param>
/// <param name="options">The configuration in force.</param>
/// <param name="onMoment">Called at each moment, while all leases are held.</param>
/// <param name="isGivenUp">Whether nobody wants it any more.</param>
internal sealed class JournalRewrite(
    JournalService service, Tier? tier, ServerOptions options, Action onMoment, Func<bool> isGivenUp)
{
    private readonly JournalBaseKind _kind = tier is { IsDurable: true } && options.AppendOnly
        ? JournalBaseKind.Checkpoint
        : options.UseRdbPreamble ? JournalBaseKind.Rdb : JournalBaseKind.Commands;
    private JournalThread? _thread;
    private Task<long>? _rotated;
    private long _number;

    /// <summary>What is to be asked of the snapshots.</summary>
    /// <param name="end">Is told of the end.</param>
    public SnapshotRequest ToRequest(ISnapshotEnd end) => new()
    {
        Kind = SnapshotKind.Rewrite,
        Base = _kind,
        CheckpointNumber = _kind == JournalBaseKind.Checkpoint ? () => _number : null,
        Prepare = service.PrepareRotation,
        AtMoment = OnMoment,
        Open = Open,
        End = end,
    };

    private void OnMoment()
    {
        onMoment();
        (_thread, _rotated) = service.Rotate();
        _number = tier?.Checkpoints.Begin() ?? 0;
    }

    private JournalBaseFile Open()
    {
        try
        {
            return new JournalBaseFile(service.FilesToRewrite(_thread), _kind, options.RewriteIncrementalFsync)
            {
                Thread = _thread,
                Rotated = _rotated,
                IsGivenUp = isGivenUp,
                Tier = tier,
                Number = _number,
            };
        }
        catch
        {
            tier?.Checkpoints.OnGivenUp(_number);
            throw;
        }
    }
}
