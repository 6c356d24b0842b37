namespace Strata.Server.Commands.Bitmaps;

/// <summary>What is found out of the bits of a range, whose parts are looked at one after the other.</summary>
internal interface IBitScan
{
    /// <summary>What was found out of all parts by now.</summary>
    long Result { get; }

    /// <summary>Looks at a part of a string.</summary>
    /// <returns>Whether the next part matters.</returns>
    bool Passes(ReadOnlySpan<byte> value, BitRange part);
}
