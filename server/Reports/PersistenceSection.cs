namespace Strata.Server.Reports;

/// <summary>INFO persistence: there are no snapshots, so none is ever loaded or saved. The last save counts as the
/// start, as LASTSAVE says; -1 is what did not happen. The fields of the journal, which Redis has only where there is
/// one, are zero without.</summary>
internal static class PersistenceSection
{
    private const int Never = -1;

    public static void Write(InfoText text, InfoSource source)
    {
        text.Section("Persistence");
        text.Zeros(
            "loading", "async_loading", "current_cow_peak", "current_cow_size", "current_cow_size_age");
        text.Field("current_fork_perc", 0, 2);
        text.Zeros(
            "current_save_keys_processed",
            "current_save_keys_total",
            "rdb_changes_since_last_save",
            "rdb_bgsave_in_progress");
        text.Field("rdb_last_save_time", source.Services.Diagnostics.StartedAt.ToUnixTimeSeconds());
        text.Field("rdb_last_bgsave_status", "ok");
        text.Field("rdb_last_bgsave_time_sec", Never);
        text.Field("rdb_current_bgsave_time_sec", Never);
        text.Zeros(
            "rdb_saves",
            "rdb_last_cow_size",
            "rdb_last_load_keys_expired",
            "rdb_last_load_keys_loaded");
        var journal = source.Services.Journal;
        text.Field("aof_enabled", journal.IsOn ? 1 : 0);
        text.Zeros("aof_rewrite_in_progress", "aof_rewrite_scheduled");
        text.Field("aof_last_rewrite_time_sec", Never);
        text.Field("aof_current_rewrite_time_sec", Never);
        text.Field("aof_last_bgrewrite_status", "ok");
        text.Zeros("aof_rewrites", "aof_rewrites_consecutive_failures");
        text.Field("aof_last_write_status", journal.Problem == null ? "ok" : "err");
        text.Zeros("aof_last_cow_size", "module_fork_in_progress", "module_fork_last_cow_size");
        text.Field("aof_current_size", source.Services.JournalFiles.SizeBytes);
        text.Field("aof_base_size", source.Services.JournalFiles.StartBytes);
        text.Zeros("aof_pending_rewrite");
        text.Field("aof_buffer_length", journal.QueuedBytes);
        text.Zeros("aof_rewrite_buffer_length", "aof_pending_bio_fsync", "aof_delayed_fsync");
    }
}
