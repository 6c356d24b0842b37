namespace Strata.Bench;

/// <summary>
/// A benchmark that cannot go on: the message says what happened, to what, and what to do, and is all the user sees.
/// </summary>
public sealed class BenchException(string message, Exception? cause = null) : Exception(message, cause)
{
    /// <summary>Goes on only if a condition holds.</summary>
    /// <exception cref="BenchException">It does not.</exception>
    public static void Require(bool holds, string message)
    {
        if (!holds)
        {
            throw new BenchException(message);
        }
    }
}
