namespace Strata.Server.Reports;

/// <summary>INFO replication: the server stands alone, and its data has no history that others could follow.</summary>
internal static class ReplicationSection
{
    private static readonly string s_noHistory = new('0', 40);

    public static void Write(InfoText text)
    {
        text.Section("Replication");
        text.Field("role", "master");
        text.Field("connected_slaves", 0);
        text.Field("master_failover_state", "no-failover");
        text.Field("master_replid", s_noHistory);
        text.Field("master_replid2", s_noHistory);
        text.Field("master_repl_offset", 0);
        text.Field("second_repl_offset", -1);
        text.Zeros(
            "repl_backlog_active", "repl_backlog_size", "repl_backlog_first_byte_offset", "repl_backlog_histlen");
    }
}
