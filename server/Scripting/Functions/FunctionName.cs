using System.Text;

namespace Strata.Server.Scripting.Functions;

/// <summary>Compares the names of functions as bytes, whatever the case of their letters.</summary>
internal sealed class FunctionName : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    private const uint Prime = 16777619; // FNV-1a
    private const uint Basis = 2166136261;

    public static FunctionName Comparer { get; } = new();

    /// <inheritdoc/>
    public bool Equals(byte[]? x, byte[]? y) => Ascii.EqualsIgnoreCase(x, y);

    /// <inheritdoc/>
    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => Ascii.EqualsIgnoreCase(alternate, other);

    /// <inheritdoc/>
    public int GetHashCode(byte[] obj) => GetHashCode(obj.AsSpan());

    /// <inheritdoc/>
    public int GetHashCode(ReadOnlySpan<byte> alternate)
    {
        var hash = Basis;
        foreach (var b in alternate)
        {
            var lower = b is >= (byte)'A' and <= (byte)'Z' ? b | 0x20 : b;
            hash = unchecked((hash ^ (uint)lower) * Prime);
        }

        return unchecked((int)hash);
    }

    /// <inheritdoc/>
    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
