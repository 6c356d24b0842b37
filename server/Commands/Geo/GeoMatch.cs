namespace Strata.Server.Commands.Geo;

/// <summary>A member that was found.</summary>
internal unsafe struct GeoMatch
{
    public GeoPoint Place;

    /// <summary>From the middle of what was looked for, metres.</summary>
    public double Distance;

    /// <summary>The member's score in the sorted set.</summary>
    public double Score;

    /// <summary>The member's bytes, in memory that does not change while the command is executed.</summary>
    public byte* Start;

    public int Length;

    /// <summary>How many were found before it, which decides between equally distant ones.</summary>
    public int Index;

    public readonly ReadOnlySpan<byte> Member => new(Start, Length);
}
