using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Cluster;

/// <summary>ASKING</summary>
internal static class Asking
{
    public static readonly CommandRow Row = OutsideOfCluster.Command(
        "asking", CommandFlags.None, "Lets the next command follow a cluster's -ASK: an error on a server alone.");
}
