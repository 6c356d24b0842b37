using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>What XAUTOCLAIM is asked for.</summary>
/// <param name="MinIdleMs">How long entries were given to nobody, at least, milliseconds; 0 for any time.</param>
/// <param name="First">The lowest id.</param>
/// <param name="Count">The most entries.</param>
/// <param name="IsJustId">Whether ids alone are answered, and nothing counts as given.</param>
internal readonly record struct AutoClaimArguments(long MinIdleMs, StreamId First, long Count, bool IsJustId);
