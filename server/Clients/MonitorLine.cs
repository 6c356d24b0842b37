using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Clients;

/// <summary>What monitors are sent of a command: time, database, client, and the arguments, in one line.</summary>
internal static class MonitorLine
{
    private static ReadOnlySpan<byte> HexDigits => "0123456789abcdef"u8;

    /// <summary>The line as RESP. Passwords are left out.</summary>
    public static byte[] Format(
        Session session, CommandRow row, in Request request, DateTime utcNow, bool isOfScript = false)
    {
        var line = new MemoryStream(128);
        var micros = (utcNow.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMicrosecond;
        var address = session.Connection.Address;
        var client = isOfScript ? "lua"
            : address.UnixPath == null ? address.RemoteText : $"unix:{address.UnixPath}";
        line.Write(Encoding.UTF8.GetBytes(string.Create(
            CultureInfo.InvariantCulture,
            $"+{micros / 1_000_000}.{micros % 1_000_000:000000} [{session.Database} {client}]")));
        for (var i = 0; i < request.Count; i++)
        {
            line.WriteByte((byte)' ');
            Quote(line, row.IsSecret?.Invoke(request, i) == true ? "(redacted)"u8 : request[i]);
        }

        line.Write("\r\n"u8);
        return line.ToArray();
    }

    /// <summary>Sends a line to a monitor, on its worker, unless it has gone or stopped meanwhile.</summary>
    public static void Deliver(Session monitor, byte[] line)
    {
        if (monitor.IsMonitor && !monitor.IsMuted)
        {
            monitor.Connection.Push(line);
        }
    }

    /// <summary>Writes bytes between quotation marks, those that are not printable as escapes.</summary>
    internal static void Quote(MemoryStream line, ReadOnlySpan<byte> bytes)
    {
        line.WriteByte((byte)'"');
        foreach (var c in bytes)
        {
            var letter = c switch
            {
                (byte)'\\' or (byte)'"' => c,
                (byte)'\n' => (byte)'n',
                (byte)'\r' => (byte)'r',
                (byte)'\t' => (byte)'t',
                (byte)'\a' => (byte)'a',
                (byte)'\b' => (byte)'b',
                _ => (byte)0,
            };
            if (letter != 0)
            {
                line.WriteByte((byte)'\\');
                line.WriteByte(letter);
            }
            else if (c is >= 0x20 and < 0x7f)
            {
                line.WriteByte(c);
            }
            else
            {
                line.Write([(byte)'\\', (byte)'x', HexDigits[c >> 4], HexDigits[c & 15]]);
            }
        }

        line.WriteByte((byte)'"');
    }
}
