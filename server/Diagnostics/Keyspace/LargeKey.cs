namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>A key that takes much.</summary>
/// <param name="Bytes">The key, or what it begins with.</param>
/// <param name="Length">Bytes of the whole key.</param>
/// <param name="Database">Its physical database.</param>
/// <param name="Size">Bytes that it takes, with its value and its place in the index.</param>
/// <param name="IsCold">Whether it is on the device alone.</param>
internal sealed record LargeKey(byte[] Bytes, int Length, byte Database, long Size, bool IsCold)
{
    /// <summary>Whether what is kept is the whole key.</summary>
    public bool IsWhole => Bytes.Length == Length;
}
