using System.Runtime.CompilerServices;

namespace Strata.Storage.Runtime;

/// <summary>Numbers by chance that cost next to nothing, where nobody gains by foreseeing them (xorshift; Marsaglia,
/// "Xorshift RNGs", 2003).</summary>
public static class XorShift
{
    /// <summary>The number after another. The first must not be 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Next(uint number)
    {
        number ^= number << 13;
        number ^= number >> 17;
        number ^= number << 5;
        return number;
    }
}
