using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>What a key that was drawn is called: what it begins with, and its database.</summary>
internal struct SampledName
{
    private Beginning _bytes;
    private readonly byte _kept;

    /// <summary>The name of a key.</summary>
    /// <param name="key">Its bytes.</param>
    /// <param name="database">Its physical database.</param>
    public SampledName(ReadOnlySpan<byte> key, byte database)
    {
        _kept = (byte)Math.Min(key.Length, TrafficLimits.CurveNameBytes);
        key[.._kept].CopyTo(_bytes);
        Database = database;
        IsWhole = _kept == key.Length;
    }

    /// <summary>Its physical database.</summary>
    public byte Database { get; }

    /// <summary>Whether what is kept is the whole key.</summary>
    public bool IsWhole { get; }

    /// <summary>What is kept.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Bytes => ((ReadOnlySpan<byte>)_bytes)[.._kept];

    [InlineArray(TrafficLimits.CurveNameBytes)]
    private struct Beginning
    {
        private byte _first;
    }
}
