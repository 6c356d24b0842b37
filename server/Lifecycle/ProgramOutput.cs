using System.Text;
using Strata.Server.Options;

namespace Strata.Server.Lifecycle;

/// <summary>What the program prints by itself, beside the log: to a disk that is full, too.</summary>
internal static class ProgramOutput
{
    /// <summary>Standard output. What cannot be written there is a <see cref="StartupException"/>: whoever reads it
    /// must not take a part for all of it.</summary>
    public static TextWriter Out { get; } = new Printer();

    /// <summary>Writes a line to standard error.</summary>
    /// <returns>False where that cannot be: then the exit code tells alone.</returns>
    public static bool TryTellError(string line)
    {
        try
        {
            Console.Error.Write(line + "\n");
            return true;
        }
        catch (Exception error) when (FileError.Is(error))
        {
            return false;
        }
    }

    private sealed class Printer : TextWriter
    {
        public override Encoding Encoding => Console.Out.Encoding;

        public override void Write(char value) => Write([value]);

        public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

        public override void Write(string? value) => Write(value.AsSpan());

        public override void Write(ReadOnlySpan<char> buffer)
        {
            try
            {
                Console.Out.Write(buffer);
            }
            catch (Exception error) when (FileError.Is(error))
            {
                throw new StartupException(
                    ExitCode.Output, $"Cannot write to standard output: {FileError.Reason(error)}");
            }
        }
    }
}
