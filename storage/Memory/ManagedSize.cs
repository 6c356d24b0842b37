namespace Strata.Storage.Memory;

/// <summary>Bytes that objects of the runtime take, on 64 bits: two words before the fields, and of an array one more,
/// rounded up to words.</summary>
public static class ManagedSize
{
    private const int WordBytes = 8;
    private const int LeastBytes = 3 * WordBytes;

    // The words before the characters, their number, and the zero behind them.
    private const int StringBytes = (2 * WordBytes) + sizeof(int) + sizeof(char);

    /// <summary>An object with fields of so many bytes.</summary>
    public static long OfObject(int fieldBytes) => Math.Max(LeastBytes, Rounded((2 * WordBytes) + fieldBytes));

    /// <summary>An array of elements of so many bytes.</summary>
    public static long OfArray(long elements, int elementBytes = WordBytes)
        => LeastBytes + Rounded(elements * elementBytes);

    /// <summary>A string of so many characters.</summary>
    public static long OfString(int characters) => Rounded(StringBytes + (2L * characters));

    private static long Rounded(long bytes) => (bytes + WordBytes - 1) / WordBytes * WordBytes;
}
