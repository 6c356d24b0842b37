using System.Runtime.InteropServices;

namespace Strata.Server.Journal.Files;

/// <summary>What became of an operation on the journal's files: nothing wrong, or why the system refused it. The
/// default is that nothing is wrong.</summary>
internal readonly struct JournalError
{
    private readonly string? _action;
    private readonly string? _path;
    private readonly string? _cause;

    /// <summary>A refusal.</summary>
    /// <param name="errno">The system's number, not 0.</param>
    /// <param name="action">What was refused, as in <c>cannot …</c>.</param>
    /// <param name="path">The file or folder.</param>
    /// <param name="cause">Why, where the system's text for the number would mislead.</param>
    public JournalError(int errno, string action, string path, string? cause = null)
    {
        _cause = cause;
        Errno = errno;
        _action = action;
        _path = path;
    }

    /// <summary>Whether something is wrong.</summary>
    public bool IsError => Errno != 0;

    /// <summary>The system's number of the error; 0 for none.</summary>
    public int Errno { get; }

    /// <summary>What happened, to which file, and why; empty where nothing is wrong.</summary>
    public string Text => IsError
        ? $"cannot {_action} '{_path}': {_cause ?? Marshal.GetPInvokeErrorMessage(Errno)}"
        : "";

    /// <inheritdoc/>
    public override string ToString() => Text;

    /// <summary>Throws it, where there is nothing else to be done: at the start.</summary>
    /// <exception cref="JournalException">Something is wrong.</exception>
    public void ThrowIfError()
    {
        if (IsError)
        {
            throw new JournalException(Text, _path!, -1);
        }
    }

    /// <summary>Throws it, where a stream of bytes fails with it.</summary>
    /// <exception cref="IOException">Something is wrong.</exception>
    public void ThrowAsIOException()
    {
        if (IsError)
        {
            throw new IOException(Text);
        }
    }
}
