using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Access;

/// <summary>ACL GENPASS [bits]</summary>
internal static class AclGenPass
{
    private const int UsualBits = 256;
    private const int MaxBits = 4096;
    private const int BitsOfDigit = 4;
    private const int SecretBytes = 256; // What the platform gives at once.

    public static readonly CommandRow Row = new("genpass", -2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Makes a password that nobody can guess.",
        Complexity = "O(1)",
        Syntax = "[bits]",
    };

    private static ReadOnlySpan<byte> Digits => "0123456789abcdef"u8;

    private static void Execute(CommandContext context)
    {
        var bits = (long)UsualBits;
        if (context.Count > 3)
        {
            Acl.RefuseCount(context);
            return;
        }

        if (context.Count > 2 && !context.TryInteger(2, out bits))
        {
            return;
        }

        if (bits is <= 0 or > MaxBits)
        {
            context.Reply.Error(
                "ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to "
                + $"{MaxBits}");
            return;
        }

        Span<byte> text = stackalloc byte[(int)(bits + BitsOfDigit - 1) / BitsOfDigit];
        for (var at = 0; at < text.Length; at += SecretBytes)
        {
            var part = text.Slice(at, Math.Min(SecretBytes, text.Length - at));
            context.Server.Platform.FillSecret(part);
            foreach (ref var digit in part)
            {
                digit = Digits[digit & (Digits.Length - 1)];
            }
        }

        context.Reply.Bulk(text);
    }
}
