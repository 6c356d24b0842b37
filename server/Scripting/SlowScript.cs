using Strata.Server.Resp;
using Strata.Server.Scripting.Functions;
using Strata.Server.Text;

namespace Strata.Server.Scripting;

/// <summary>What is told of a script, or a function, that runs for long. It does not change.</summary>
/// <param name="executable">What runs.</param>
/// <param name="command">The command that executes it.</param>
/// <param name="started">When it began, a timestamp of the clock.</param>
internal sealed class SlowScript(Executable executable, in Request command, long started)
{
    // What is kept of the arguments, which are managed memory that nobody charges.
    private const int MostBytes = 16 << 10;
    private const int MostArguments = 256;

    /// <summary>What it is called.</summary>
    public string Name { get; } = executable.Name;

    /// <summary>Whether it is a function.</summary>
    public bool IsFunction { get; } = executable is Function;

    /// <summary>The arguments of the command that executes it; of long ones the beginning, and of many the first.
    /// </summary>
    public IReadOnlyList<byte[]> Command { get; } = CopyOf(command);

    /// <summary>When it began, a timestamp of the clock.</summary>
    public long Started { get; } = started;

    private static byte[][] CopyOf(in Request request)
    {
        var copy = new byte[Math.Min(request.Count, MostArguments)][];
        var left = MostBytes;
        for (var i = 0; i < copy.Length; i++)
        {
            copy[i] = Excerpt.Of(request[i], left);
            left -= Math.Min(request.Length(i), left);
        }

        return copy;
    }
}
