using System.Globalization;
using System.Text;

namespace Strata.Server.Hosting;

/// <summary>
/// Secrets among the program's arguments. Every user of the machine sees those of all processes; so they are
/// overwritten in the memory that the kernel shows them from, once they are read. The server has its own copy.
/// </summary>
internal static unsafe class SecretArguments
{
    private const int StartField = 48; // proc_pid_stat(5), counted from 1
    private const int NameField = 2;

    /// <summary>Overwrites arguments.</summary>
    /// <param name="arguments">All the program's.</param>
    /// <param name="secrets">Which of them, and from which character on.</param>
    /// <returns>False when they are not where the kernel says: then they stay.</returns>
    public static bool TryHide(IReadOnlyList<string> arguments, IReadOnlyList<(int Argument, int From)> secrets)
    {
        if (secrets.Count == 0)
        {
            return true;
        }

        if (!TryFind(out var start, out var length))
        {
            return false;
        }

        // What stands before the program's arguments is the way that it was called.
        var ends = new List<int>();
        var shown = new Span<byte>(start, length);
        for (var i = 0; i < length; i++)
        {
            if (shown[i] == 0)
            {
                ends.Add(i);
            }
        }

        var isHidden = true;
        foreach (var (argument, from) in secrets)
        {
            var secret = Encoding.UTF8.GetBytes(arguments[argument][from..]);
            var index = ends.Count - arguments.Count + argument;
            var at = index < 0 ? -1 : ends[index] - secret.Length;
            if (at >= 0 && shown.Slice(at, secret.Length).SequenceEqual(secret))
            {
                shown.Slice(at, secret.Length).Fill((byte)'*');
            }
            else
            {
                isHidden = false;
            }
        }

        return isHidden;
    }

    /// <summary>Where the arguments lie, one behind the other, each with a zero byte behind it.</summary>
    private static bool TryFind(out byte* start, out int length)
    {
        start = null;
        length = 0;
        const string Stat = "/proc/self/stat";
        if (!File.Exists(Stat))
        {
            return false;
        }

        // The program's name may have blanks and parentheses.
        var text = File.ReadAllText(Stat);
        var fields = text[(text.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var first = StartField - NameField - 1;
        if (fields.Length < first + 2)
        {
            return false;
        }

        var from = ulong.Parse(fields[first], CultureInfo.InvariantCulture);
        var to = ulong.Parse(fields[first + 1], CultureInfo.InvariantCulture);
        start = (byte*)from;
        length = (int)(to - from);
        return from != 0 && to > from; // Where the kernel hides it, both are zero.
    }
}
