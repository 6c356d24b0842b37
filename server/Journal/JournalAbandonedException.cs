namespace Strata.Server.Journal;

/// <summary>The server ends, and what the journal was still to take cannot be written.</summary>
/// <param name="message">Why.</param>
public sealed class JournalAbandonedException(string message) : Exception(message);
