using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Tests.Support;

/// <summary>Where memory is at its end.</summary>
internal static class MemoryEnd
{
    /// <summary>How much may be held beyond the limit by what cannot be given up, bytes.</summary>
    public static long BytesBeyondLimit(this MemoryBudget budget)
        => (budget.LimitBytes / Limits.EndShare) + Limits.EndBytes;
}
