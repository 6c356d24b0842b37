using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Cluster;

/// <summary>READONLY and READWRITE, with which clients of a cluster say whether replicas may answer their reads.
/// </summary>
internal static class ReadOnly
{
    public static readonly CommandRow Row = OutsideOfCluster.Command(
        "readonly",
        CommandFlags.Loading | CommandFlags.Stale,
        "Lets replicas of a cluster answer the client's reads: an error on a server alone.");

    public static readonly CommandRow ReadWriteRow = OutsideOfCluster.Command(
        "readwrite", CommandFlags.Loading | CommandFlags.Stale, "Undoes READONLY: an error on a server alone.");
}
