using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG STRINGMATCH-TEST: matches random bytes with random patterns.</summary>
internal static class DebugStringMatchTest
{
    private const int Cycles = 10_000;
    private const int MostBytes = 32;
    private const int Values = 128;

    public static void Execute(CommandContext context)
    {
        Span<byte> text = stackalloc byte[MostBytes];
        Span<byte> pattern = stackalloc byte[MostBytes];
        for (var i = 0; i < Cycles; i++)
        {
            _ = GlobPattern.IsMatch(Fill(context.Random, pattern), Fill(context.Random, text));
        }

        context.Reply.Simple("Apparently Redis did not crash: test passed"u8);
    }

    private static ReadOnlySpan<byte> Fill(Random random, Span<byte> bytes)
    {
        bytes = bytes[..random.Next(bytes.Length)];
        foreach (ref var one in bytes)
        {
            one = (byte)random.Next(Values);
        }

        return bytes;
    }
}
