using Strata.Server.Journal.Files;

namespace Strata.Server.Journal;

/// <summary>A base that was written whole, in the place of all that is before an increment.</summary>
/// <param name="File">The file, whole; null where it is one of commands, and closed.</param>
/// <param name="FirstIncrement">The number of the increment.</param>
/// <param name="OnDone">Called by the journal's thread, with what has failed, or null.</param>
internal sealed record JournalBase(IJournalFile? File, long FirstIncrement, Action<string?> OnDone);
