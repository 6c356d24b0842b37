using System.Globalization;
using System.Net;

namespace Strata.Server.Hosting.Health;

/// <summary>
/// The sockets of a network namespace that listen, by the number of their inode: read from the kernel's tables of
/// sockets, /proc/PID/net/tcp, tcp6 and unix (proc(5)).
/// </summary>
internal static class ListeningTable
{
    private const string TcpListen = "0A"; // TCP_LISTEN
    private const string UnixAccepts = "00010000"; // __SO_ACCEPTCON

    /// <summary>Reads the tables of a process's namespace.</summary>
    /// <param name="process">The process's folder in /proc. Relative paths of Unix sockets are its own.</param>
    /// <exception cref="IOException">The process has ended.</exception>
    public static Dictionary<string, EndPoint> Read(string process)
    {
        var sockets = new Dictionary<string, EndPoint>();
        foreach (var table in (string[])["tcp", "tcp6"])
        {
            var path = $"{process}/net/{table}";
            if (File.Exists(path)) // A kernel without IPv6 has no such table.
            {
                ReadTcp(File.ReadLines(path), sockets);
            }
        }

        var unix = $"{process}/net/unix";
        if (File.Exists(unix))
        {
            ReadUnix(File.ReadLines(unix), $"{process}/cwd", sockets);
        }

        return sockets;
    }

    /// <summary>Adds what listens in a table of the form "sl local_address rem_address st … inode …".</summary>
    internal static void ReadTcp(IEnumerable<string> lines, Dictionary<string, EndPoint> sockets)
    {
        foreach (var line in lines.Skip(1))
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words.Length > 9 && words[3] == TcpListen)
            {
                sockets[words[9]] = ToEndPoint(words[1]);
            }
        }
    }

    /// <summary>Adds what listens in a table of the form "Num RefCount Protocol Flags Type St Inode Path".</summary>
    internal static void ReadUnix(IEnumerable<string> lines, string folder, Dictionary<string, EndPoint> sockets)
    {
        foreach (var line in lines.Skip(1))
        {
            // The path, which may have blanks, is the rest of the line. One that begins with @ is no file.
            var words = line.Split(' ', 8, StringSplitOptions.RemoveEmptyEntries);
            if (words is [_, _, _, UnixAccepts, _, _, var inode, [not '@', ..] and var path]
                && PingProbe.UnixAddress(Path.Combine(folder, path)) is { } address)
            {
                sockets[inode] = address;
            }
        }
    }

    /// <summary>"0100007F:18EB": words of 32 bits of the address, in the machine's order of bytes, and the port.
    /// </summary>
    private static IPEndPoint ToEndPoint(string text)
    {
        var colon = text.IndexOf(':');
        var address = new byte[colon / 2];
        for (var at = 0; at < colon; at += 8)
        {
            var word = uint.Parse(text.AsSpan(at, 8), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            BitConverter.TryWriteBytes(address.AsSpan(at / 2), word);
        }

        var port = int.Parse(text.AsSpan(colon + 1), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        return new IPEndPoint(new IPAddress(address), port);
    }
}
