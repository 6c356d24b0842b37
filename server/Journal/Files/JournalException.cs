namespace Strata.Server.Journal.Files;

/// <summary>Why the journal's files cannot be used as they are: the message names the file, where in it, and what can
/// be done.</summary>
internal sealed class JournalException : Exception
{
    /// <summary>A reason.</summary>
    /// <param name="message">The whole message, to a person.</param>
    /// <param name="file">The file.</param>
    /// <param name="offset">Where in it, bytes; -1 for nowhere in particular.</param>
    public JournalException(string message, string file, long offset)
        : base(message)
    {
        File = file;
        Offset = offset;
    }

    /// <summary>The path of the file.</summary>
    public string File { get; }

    /// <summary>Where in it, bytes; -1 for nowhere in particular.</summary>
    public long Offset { get; }
}
