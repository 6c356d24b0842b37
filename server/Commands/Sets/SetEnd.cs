using Strata.Storage.Changes;

namespace Strata.Server.Commands.Sets;

/// <summary>What becomes of a combination of sets.</summary>
/// <param name="Stored">What is told when it is stored under the first key; null where it is answered.</param>
/// <param name="IsNumber">Whether the number of its members is answered.</param>
/// <param name="Limit">The most of these that are counted; 0 for no limit.</param>
internal readonly record struct SetEnd(KeyEvent? Stored, bool IsNumber, long Limit);
