namespace Strata.Server.Journal.Files;

/// <summary>An increment that was made ahead, with the manifest that lists it: going on in it takes one change of a
/// name.</summary>
/// <param name="Writer">Who appends to it, behind <see cref="JournalFileWriter.Follow"/>.</param>
/// <param name="Part">The increment.</param>
/// <param name="Before">What was listed when it was made; it is of no use once that is another.</param>
/// <param name="After">What is listed with it.</param>
internal sealed record NextIncrement(JournalFileWriter Writer, ManifestPart Part, Manifest Before, Manifest After);
