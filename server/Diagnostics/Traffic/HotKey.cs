namespace Strata.Server.Diagnostics.Traffic;

/// <summary>A key that is used much, and how much: a second, on the average of the last minutes.</summary>
/// <param name="Hash">The key's hash.</param>
/// <param name="Bytes">The key, or what it begins with.</param>
/// <param name="Length">Bytes of the whole key.</param>
/// <param name="Database">Its physical database.</param>
/// <param name="PerSecond">The most likely.</param>
/// <param name="AtLeast">With what others may have had, and with chance, taken off.</param>
/// <param name="AtMost">With what may have been missed, and with chance.</param>
internal sealed record HotKey(
    ulong Hash, byte[] Bytes, int Length, byte Database, double PerSecond, double AtLeast, double AtMost)
{
    /// <summary>Whether what is kept is the whole key.</summary>
    public bool IsWhole => Bytes.Length == Length;
}
