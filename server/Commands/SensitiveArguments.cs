using Strata.Server.Options;
using Strata.Server.Resp;

namespace Strata.Server.Commands;

/// <summary>Which arguments are secrets, to be kept out of MONITOR and SLOWLOG: those of AUTH, of HELLO's AUTH, and the
/// values of sensitive keys in CONFIG SET.</summary>
internal static class SensitiveArguments
{
    /// <summary>What is shown instead.</summary>
    public static ReadOnlySpan<byte> Redacted => "(redacted)"u8;

    /// <summary>Whether the argument at <paramref name="index"/> is a secret.</summary>
    public static bool Contain(CommandRow row, in Request request, int index) => row.FullName switch
    {
        "auth" => index > 0,
        "hello" => IsHelloPassword(request, index),
        "config|set" => index > 2 && index % 2 == 1 && IsSensitiveKey(request[index - 1]),
        _ => false,
    };

    /// <summary>HELLO's options stand from its third argument on; AUTH is followed by user and password.</summary>
    private static bool IsHelloPassword(in Request request, int index)
    {
        for (var i = 2; i < index;)
        {
            if (!NumberParser.IsWord(request[i], "auth"u8))
            {
                i += 2;
                continue;
            }

            if (index <= i + 2)
            {
                return true;
            }

            i += 3;
        }

        return false;
    }

    private static bool IsSensitiveKey(ReadOnlySpan<byte> name)
        => ConfigurationTable.TryFind(ConfigurationText.FromBytes(name), out var key) && key.IsSensitive;
}
