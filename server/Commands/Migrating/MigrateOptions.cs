using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Migrating;

/// <summary>What MIGRATE is to do.</summary>
/// <param name="Host">The other server's name or address.</param>
/// <param name="Port">Its port.</param>
/// <param name="Keys">The keys.</param>
/// <param name="Source">The database they are in.</param>
/// <param name="Destination">The database they go to.</param>
/// <param name="Timeout">How long the other server may be silent.</param>
/// <param name="Credentials">What AUTH is given there; nothing where it is not needed.</param>
/// <param name="Copies">Whether they stay here too.</param>
/// <param name="Replaces">Whether they may be there.</param>
internal sealed record MigrateOptions(
    string Host,
    int Port,
    byte[][] Keys,
    int Source,
    long Destination,
    TimeSpan Timeout,
    byte[][] Credentials,
    bool Copies,
    bool Replaces)
{
    private const int KeyAt = 3;
    private const int FirstOption = 6;
    private const long DefaultTimeoutMs = 1000;

    /// <summary>Reads the command; answers what is wrong with it.</summary>
    public static bool TryRead(CommandContext context, out MigrateOptions options)
    {
        options = null!;
        var (copies, replaces, firstKey) = (false, false, KeyAt);
        byte[][] credentials = [];
        for (var i = FirstOption; i < context.Count && firstKey == KeyAt; i++)
        {
            var following = context.Count - i - 1;
            if (context.IsWord(i, "copy"u8))
            {
                copies = true;
            }
            else if (context.IsWord(i, "replace"u8))
            {
                replaces = true;
            }
            else if (context.IsWord(i, "auth"u8) && following >= 1)
            {
                credentials = [Bytes(context, ++i)];
            }
            else if (context.IsWord(i, "auth2"u8) && following >= 2)
            {
                credentials = [Bytes(context, ++i), Bytes(context, ++i)];
            }
            else if (context.IsWord(i, "keys"u8))
            {
                if (!context.Argument(KeyAt).IsEmpty)
                {
                    context.Reply.Error("ERR When using MIGRATE KEYS option, the key argument must be set to the "u8
                        + "empty string"u8);
                    return false;
                }

                firstKey = i + 1;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        if (!context.TryInteger(5, out var timeoutMs) || !context.TryInteger(4, out var destination))
        {
            return false;
        }

        var end = firstKey == KeyAt ? KeyAt + 1 : context.Count;
        var keys = new byte[end - firstKey][];
        for (var i = firstKey; i < end; i++)
        {
            keys[i - firstKey] = Bytes(context, i);
        }

        options = new MigrateOptions(
            Encoding.UTF8.GetString(context.Argument(1)), PortOf(context), keys, context.Client.Database, destination,
            TimeSpan.FromMilliseconds(timeoutMs <= 0 ? DefaultTimeoutMs : Math.Min(timeoutMs, int.MaxValue)),
            credentials, copies, replaces);
        return true;
    }

    /// <summary>The port, or 0, where nobody can be.</summary>
    /// <summary>Where the keys begin that are listed behind KEYS; 0 where the only one is the third argument.</summary>
    public static int FindKeys(Request request)
    {
        for (var i = FirstOption; i < request.Count && request[KeyAt].IsEmpty; i += 1 + CredentialsAt(request, i))
        {
            if (NumberParser.IsWord(request[i], "keys"u8))
            {
                return i + 1 < request.Count ? i + 1 : 0;
            }
        }

        return 0;
    }

    /// <summary>Whether an argument is a name or a password for the other server.</summary>
    public static bool IsSecret(Request request, int index)
    {
        for (var i = FirstOption; i < index && !NumberParser.IsWord(request[i], "keys"u8);)
        {
            var credentials = CredentialsAt(request, i);
            if (index <= i + credentials)
            {
                return true;
            }

            i += 1 + credentials;
        }

        return false;
    }

    /// <summary>How many arguments behind an option are credentials.</summary>
    private static int CredentialsAt(in Request request, int index)
        => NumberParser.IsWord(request[index], "auth"u8) ? 1
            : NumberParser.IsWord(request[index], "auth2"u8) ? 2
            : 0;

    private static int PortOf(CommandContext context)
        => NumberParser.TryParseInt64(context.Argument(2), out var port) && port is > 0 and <= ushort.MaxValue
            ? (int)port
            : 0;

    private static byte[] Bytes(CommandContext context, int index) => context.Argument(index).ToArray();
}
