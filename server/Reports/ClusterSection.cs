
namespace Strata.Server.Reports;

/// <summary>INFO cluster: there is none.</summary>
internal static class ClusterSection
{
    public static void Write(InfoText text)
    {
        text.Section("Cluster");
        text.Field("cluster_enabled", 0);
    }
}
