using static Strata.Server.Metrics.Metric;

namespace Strata.Server.Metrics;

/// <summary>Snapshots, the journal, and the loading of both.</summary>
internal static class PersistenceMetrics
{
    public static readonly Metric Loading = Gauge(
        "loading_dump_file", "Whether the data is being loaded.",
        source => source.Services.Loading.IsLoading ? 1 : 0,
        "loading");

    public static readonly Metric Changes = Gauge(
        "rdb_changes_since_last_save", "Changes since the last snapshot.",
        source => source.Services.Snapshots.History.Changes,
        "rdb_changes_since_last_save");

    public static readonly Metric LastSave = Gauge(
        "rdb_last_save_timestamp_seconds", "When the last snapshot was saved, seconds since 1970.",
        source => source.Services.Snapshots.History.LastSaveMs / 1000,
        "rdb_last_save_time");

    public static readonly Metric HasSaved = Gauge(
        "rdb_last_bgsave_status", "Whether the last BGSAVE has succeeded.",
        source => source.Services.Snapshots.History.HasFailed ? 0 : 1);

    public static readonly Metric SaveSeconds = Gauge(
        "rdb_last_bgsave_duration_sec", "Seconds that it took; -1 where there was none.",
        source => source.Services.Snapshots.History.LastSeconds,
        "rdb_last_bgsave_time_sec");

    public static readonly Metric Saves = Counter(
        "rdb_saves", "Snapshots saved.", source => source.Services.Snapshots.History.Saves, "rdb_saves");

    public static readonly Metric Journal = Gauge(
        "aof_enabled", "Whether changes are written to the journal.",
        source => source.Server.Configuration.Current.AppendOnly ? 1 : 0,
        "aof_enabled");

    public static readonly Metric IsJournalWritten = Gauge(
        "aof_last_write_status", "Whether the journal can be written.",
        source => source.Services.Journal.Problem == null ? 1 : 0);

    public static readonly Metric JournalBytes = Gauge(
        "aof_current_size_bytes", "Bytes of the journal's files.",
        source => source.Services.JournalFiles.SizeBytes,
        "aof_current_size");

    public static readonly Metric JournalBaseBytes = Gauge(
        "aof_base_size_bytes", "Bytes they had after the last rewrite.",
        source => source.Services.JournalFiles.BaseBytes,
        "aof_base_size");

    public static readonly Metric QueuedBytes = Gauge(
        "aof_buffer_bytes", "Changes that wait to be written.",
        source => source.Services.Journal.QueuedBytes,
        "aof_buffer_length");

    public static readonly Metric DelayedSyncs = Counter(
        "aof_delayed_fsync", "Syncs of the journal that had to wait for another.",
        source => source.Services.JournalFiles.DelayedSyncs,
        "aof_delayed_fsync");

    public static readonly Metric SyncTimes = Several(
        "aof_fsync_duration_seconds", MetricKind.Histogram,
        "Syncs of the journal by the time that the disk took.",
        static (source, series) => DiskTimes.SyncsOf(source).Write(series));

    public static readonly Metric Rewriting = Gauge(
        "aof_rewrite_in_progress", "Whether the journal is being rewritten.",
        source => source.Services.Rewrites.IsUnderWayOrDue ? 1 : 0,
        "aof_rewrite_in_progress");

    public static readonly Metric Rewrites = Counter(
        "aof_rewrites", "Rewrites of the journal.", source => source.Services.Rewrites.Count, "aof_rewrites");

    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        Loading, Changes, LastSave, HasSaved, SaveSeconds, Saves, Journal, IsJournalWritten, JournalBytes,
        JournalBaseBytes, QueuedBytes, DelayedSyncs, SyncTimes, Rewriting, Rewrites,
    ];
}
