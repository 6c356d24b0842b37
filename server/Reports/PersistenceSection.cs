using Strata.Server.Metrics;
using Strata.Server.Persistence;

namespace Strata.Server.Reports;

/// <summary>INFO persistence. -1 is what did not happen. The fields of a file that is appended to, which Redis has only
/// where there is one, are zero.</summary>
internal static class PersistenceSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Persistence");
        WriteLoading(text, source);
        WriteSnapshots(text, source);
        WriteJournal(text, source);
        WriteProgressOfLoading(text, source);
    }

    private static void WriteJournal(InfoText text, MetricSource source)
    {
        var journal = source.Services.Journal;
        var rewrites = source.Services.Rewrites;
        var isScheduled = rewrites.IsScheduled ? 1 : 0; // First: what is scheduled is begun next.
        text.Field(PersistenceMetrics.Journal, source);
        text.Field(PersistenceMetrics.Rewriting, source);
        text.Field("aof_rewrite_scheduled", isScheduled);
        text.Field("aof_last_rewrite_time_sec", rewrites.LastSeconds);
        text.Field("aof_current_rewrite_time_sec", rewrites.CurrentSeconds);
        text.Field("aof_last_bgrewrite_status", rewrites.HasFailed ? "err" : "ok");
        text.Field(PersistenceMetrics.Rewrites, source);
        text.Field("aof_rewrites_consecutive_failures", rewrites.Failures);
        text.Field("aof_last_write_status", journal.Problem == null ? "ok" : "err");
        text.Field("aof_last_cow_size", source.Services.Snapshots.History.LastRewritePeakBytes);
        text.Zeros("module_fork_in_progress", "module_fork_last_cow_size");
        text.Field(PersistenceMetrics.JournalBytes, source);
        text.Field(PersistenceMetrics.JournalBaseBytes, source);
        text.Field("aof_pending_rewrite", isScheduled);
        text.Field(PersistenceMetrics.QueuedBytes, source);
        text.Zeros("aof_rewrite_buffer_length");
        text.Field("aof_pending_bio_fsync", source.Services.JournalFiles.PendingSyncs);
        text.Field(PersistenceMetrics.DelayedSyncs, source);
        var syncs = DiskTimes.SyncsOf(source);
        text.Field("aof_fsyncs", syncs.Count);
        text.Field("aof_fsync_usec", syncs.Microseconds);
    }

    private static void WriteLoading(InfoText text, MetricSource source)
    {
        var (_, _, bytes) = source.Services.Snapshots.Progress;
        text.Field(PersistenceMetrics.Loading, source);
        text.Zeros("async_loading");
        text.Field("current_cow_peak", bytes);
        text.Field("current_cow_size", bytes);
        text.Zeros("current_cow_size_age");
    }

    private static void WriteSnapshots(InfoText text, MetricSource source)
    {
        var snapshots = source.Services.Snapshots;
        var loading = source.Services.Loading;
        var history = snapshots.History;
        var (saved, all, _) = snapshots.Progress;
        var isInProgress = history.IsBackgroundUnderWay || snapshots.IsWaiting(SnapshotKind.Background);
        text.Field("current_fork_perc", all == 0 ? 0 : 100.0 * saved / all, 2);
        text.Field("current_save_keys_processed", saved);
        text.Field("current_save_keys_total", all);
        text.Field(PersistenceMetrics.Changes, source);
        text.Field("rdb_bgsave_in_progress", isInProgress ? 1 : 0);
        text.Field(PersistenceMetrics.LastSave, source);
        text.Field("rdb_last_bgsave_status", history.HasFailed ? "err" : "ok");
        text.Field(PersistenceMetrics.SaveSeconds, source);
        text.Field("rdb_current_bgsave_time_sec", history.CurrentSeconds);
        text.Field(PersistenceMetrics.Saves, source);
        text.Field("rdb_last_cow_size", history.LastPeakBytes);
        text.Field("rdb_last_load_keys_expired", loading.ExpiredKeys);
        text.Field("rdb_last_load_keys_loaded", loading.Keys);
    }

    private static void WriteProgressOfLoading(InfoText text, MetricSource source)
    {
        var loading = source.Services.Loading;
        if (!loading.IsLoading)
        {
            return;
        }

        var nowMs = source.Server.Platform.Clock.GetUtcNow().ToUnixTimeMilliseconds();
        text.Field("loading_start_time", loading.StartedMs / 1000);
        text.Field("loading_total_bytes", loading.TotalBytes);
        text.Zeros("loading_rdb_used_mem");
        text.Field("loading_loaded_bytes", loading.LoadedBytes);
        text.Field("loading_loaded_perc", 100.0 * loading.LoadedBytes / Math.Max(1, loading.TotalBytes), 2);
        text.Field("loading_eta_seconds", loading.EtaSeconds(nowMs));
    }
}
