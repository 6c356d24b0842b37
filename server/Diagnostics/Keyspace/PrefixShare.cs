namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>What the keys of a prefix take.</summary>
/// <param name="Prefix">What they begin with.</param>
/// <param name="Database">Their physical database.</param>
/// <param name="Seen">Keys of which this is known by name.</param>
/// <param name="Keys">How many there are.</param>
/// <param name="Memory">Bytes of memory.</param>
/// <param name="Disk">Bytes of what is on the device alone.</param>
internal sealed record PrefixShare(
    byte[] Prefix, byte Database, int Seen, Estimate Keys, Estimate Memory, Estimate Disk)
{
    /// <summary>Bytes in all.</summary>
    public double Bytes => Memory.Value + Disk.Value;
}
