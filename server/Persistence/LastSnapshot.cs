using Strata.Server.Lifecycle;
using Strata.Server.Runtime;

namespace Strata.Server.Persistence;

/// <summary>Saves the data when the server stops, where it is to be saved by itself: clients have gone, and the workers
/// still turn.</summary>
internal sealed class LastSnapshot : ISnapshotEnd
{
    private readonly ServerContext _server;
    private readonly Snapshots _snapshots;
    private readonly LoadingState _loading;
    private volatile SnapshotOutcome? _outcome;

    public LastSnapshot(ServerContext server, Snapshots snapshots, LoadingState loading)
    {
        _server = server;
        _snapshots = snapshots;
        _loading = loading;
    }

    /// <summary>Saves what is to be saved, and ends what is being saved by others; on the thread that stops the server,
    /// which waits for it as long as it takes.</summary>
    public void Take()
    {
        if (_snapshots.IsLastDone || _loading.IsLoading || !HasSavePoints)
        {
            _snapshots.Cancel("the server ends");
            SpinWait.SpinUntil(() => _snapshots.UnderWay == null, ServerLimits.SnapshotEndMs);
            return;
        }

        _snapshots.WantLast(this, isForced: true);
        while (_outcome == null)
        {
            if (_server.Shutdown.IsAtOnce)
            {
                return; // A worker has failed: what it has left is not to be saved.
            }

            Thread.Sleep(ServerLimits.LastSnapshotCheckMs);
        }

        if (_outcome.Error is { } error)
        {
            _server.Shutdown.Fail(ExitCode.Unsaved, $"The server ends, and its data could not be saved: {error}");
        }
    }

    private bool HasSavePoints => _server.Configuration.Current.SavePoints.Count > 0;

    /// <inheritdoc/>
    public void OnEnded(SnapshotOutcome outcome) => _outcome = outcome;
}
