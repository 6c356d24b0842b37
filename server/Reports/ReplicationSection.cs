
namespace Strata.Server.Reports;

/// <summary>INFO replication: the server stands alone.</summary>
internal static class ReplicationSection
{
    public static void Write(InfoText text)
    {
        text.Section("Replication");
        text.Field("role", "master");
        text.Field("connected_slaves", 0);
        text.Field("master_failover_state", "no-failover");
        text.Field("master_repl_offset", 0);
        text.Field("repl_backlog_active", 0);
    }
}
