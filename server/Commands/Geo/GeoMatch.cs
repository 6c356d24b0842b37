using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>A member that was found.</summary>
internal unsafe struct GeoMatch
{
    /// <summary>A member whose bytes lie in native memory.</summary>
    /// <param name="element">The member and its score.</param>
    /// <param name="place">Where it is.</param>
    /// <param name="distance">From the middle, metres.</param>
    /// <param name="index">How many were found before it.</param>
    public GeoMatch(in SortedSetElement element, GeoPoint place, double distance, int index)
    {
        var member = element.Member;
        (Place, Distance, Score, Index) = (place, distance, element.Score, index);
        Start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(member));
        Length = member.Length;
    }

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
