using System.Globalization;
using System.Text;

namespace Strata.Tests.Support;

/// <summary>
/// A command to send: either arguments (sent as a RESP array of bulk strings, any bytes) or an inline line.
/// </summary>
public sealed class RespCommand
{
    private readonly string? _inline;

    public RespCommand(IReadOnlyList<byte[]> arguments)
    {
        Arguments = arguments;
    }

    private RespCommand(string inline, IReadOnlyList<byte[]> arguments)
        : this(arguments)
    {
        _inline = inline;
    }

    public IReadOnlyList<byte[]> Arguments { get; }

    public bool IsInline => _inline is not null;

    /// <summary>The verb in upper case; empty for a command without arguments.</summary>
    public string Verb => Upper(0);

    /// <summary>The second argument in upper case: the subcommand of container commands.</summary>
    public string Subcommand => Upper(1);

    /// <summary>A command from strings whose chars are bytes (Latin-1).</summary>
    public static RespCommand Of(params string[] arguments) =>
        new([.. arguments.Select(Encoding.Latin1.GetBytes)]);

    /// <summary>A telnet-style line; CRLF is added. The words are only for telling commands apart.</summary>
    public static RespCommand Inline(string line)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return new RespCommand(line, [.. words.Select(Encoding.Latin1.GetBytes)]);
    }

    /// <summary>The bytes on the wire.</summary>
    public byte[] Encode()
    {
        if (_inline is not null)
        {
            return Encoding.Latin1.GetBytes(_inline + "\r\n");
        }

        using var output = new MemoryStream();
        Write(output, $"*{Arguments.Count}\r\n");
        foreach (var argument in Arguments)
        {
            Write(output, $"${argument.Length.ToString(CultureInfo.InvariantCulture)}\r\n");
            output.Write(argument);
            Write(output, "\r\n");
        }

        return output.ToArray();
    }

    /// <summary>A line that redis-cli reads back as this command.</summary>
    public string ToCliLine() =>
        _inline is not null
            ? $"(inline) {RespPrinter.QuoteAll(Encoding.Latin1.GetBytes(_inline))}"
            : string.Join(' ', Arguments.Select(CliWord));

    public override string ToString() => ToCliLine();

    private static string CliWord(byte[] argument)
    {
        var plain = argument.Length > 0
            && argument.All(b => b is > 0x20 and < 0x7f and not (byte)'"' and not (byte)'\'' and not (byte)'\\');
        return plain ? Encoding.Latin1.GetString(argument) : RespPrinter.QuoteAll(argument);
    }

    private static void Write(Stream output, string text) => output.Write(Encoding.Latin1.GetBytes(text));

    private string Upper(int index) =>
        index < Arguments.Count ? Encoding.Latin1.GetString(Arguments[index]).ToUpperInvariant() : string.Empty;
}
