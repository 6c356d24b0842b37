using Strata.Server.Options;
using Strata.Server.Persistence;

namespace Strata.Server.Journal;

/// <summary>One rewrite of the journal, which may be begun anew: at its moment the journal goes on in another file, and
/// what the snapshot writes becomes the base.</summary>
/// <param name="service">The journal.</param>
/// <param name="options">The configuration in force.</param>
/// <param name="onMoment">Called at each moment, while all leases are held.</param>
/// <param name="isGivenUp">Whether nobody wants it any more.</param>
internal sealed class JournalRewrite(
    JournalService service, ServerOptions options, Action onMoment, Func<bool> isGivenUp)
{
    private readonly bool _isRdb = options.UseRdbPreamble;
    private JournalThread? _thread;
    private Task<long>? _rotated;

    /// <summary>What is to be asked of the snapshots.</summary>
    /// <param name="end">Is told of the end.</param>
    public SnapshotRequest ToRequest(ISnapshotEnd end) => new()
    {
        Kind = SnapshotKind.Rewrite,
        IsBase = true,
        AsCommands = !_isRdb,
        AtMoment = OnMoment,
        Open = Open,
        End = end,
    };

    private void OnMoment()
    {
        onMoment();
        (_thread, _rotated) = service.Rotate();
    }

    private JournalBaseFile Open() => new(
        service.FilesToRewrite(_thread), _isRdb, options.RewriteIncrementalFsync, _thread, _rotated, isGivenUp);
}
