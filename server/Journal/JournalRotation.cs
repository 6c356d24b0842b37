using Strata.Server.Journal.Files;

namespace Strata.Server.Journal;

/// <summary>A moment at which the journal goes on in another file: what lies before it is in the base that a rewrite
/// makes.</summary>
/// <param name="Behind">The last batch before it.</param>
/// <param name="Next">The file, which was made ahead; null where it is to be made only then.</param>
/// <param name="Done">Is given the new file's number by the journal's thread, once the disk has all of the one before,
/// or nobody counts on that; or an <see cref="IOException"/>: the journal stays where it was, and the base is for
/// nothing.</param>
internal sealed record JournalRotation(long Behind, NextIncrement? Next, TaskCompletionSource<long> Done);
