using System.Text;

namespace Strata.Server.Journal;

/// <summary>Why what is changed cannot be written to the journal. Changes are refused until it can.</summary>
/// <param name="text">What failed, on which file, and the system's reason.</param>
public sealed class JournalProblem(string text)
{
    private readonly byte[] _refusal = Encoding.UTF8.GetBytes("MISCONF Errors writing to the AOF file: " + text);

    /// <summary>What is answered to a command that would change something; the words are Redis's.</summary>
    public ReadOnlySpan<byte> Refusal => _refusal;
}
