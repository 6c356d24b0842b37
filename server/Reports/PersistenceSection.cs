
namespace Strata.Server.Reports;

/// <summary>INFO persistence: the data is in memory only, so nothing is ever loaded or saved.</summary>
internal static class PersistenceSection
{
    public static void Write(InfoText text)
    {
        text.Section("Persistence");
        text.Field("loading", 0);
        text.Field("async_loading", 0);
        text.Field("rdb_bgsave_in_progress", 0);
        text.Field("rdb_saves", 0);
        text.Field("aof_enabled", 0);
        text.Field("aof_rewrite_in_progress", 0);
        text.Field("aof_rewrite_scheduled", 0);
    }
}
