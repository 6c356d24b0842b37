namespace Strata.Server.Journal;

/// <summary>A moment at which the journal goes on in another file: what lies before it is in the base that a rewrite
/// makes.</summary>
/// <param name="Behind">The last batch before it.</param>
/// <param name="OnDone">Called by the journal's thread with the new file's number.</param>
internal sealed record JournalRotation(long Behind, Action<long> OnDone);
