using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Strata.Storage;

/// <summary>Checks that stay on in release builds: what they guard is a programmer's error, so they throw and the
/// process ends with a stack trace rather than serve wrong data.</summary>
public static class Invariant
{
    /// <summary>Throws when <paramref name="condition"/> is false.</summary>
    /// <exception cref="InvalidOperationException">The condition is false.</exception>
    public static void Check([DoesNotReturnIf(false)] bool condition, string what)
    {
        if (!condition)
        {
            Fail(what);
        }
    }

    [DoesNotReturn]
    [StackTraceHidden]
    private static void Fail(string what) => throw new InvalidOperationException("Invariant broken: " + what);
}
