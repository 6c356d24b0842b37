using System.Net.Sockets;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// INCRs of one counter, sent without pause by a thread of its own until the connection ends; whoever started it
/// reads the replies. Disposing ends the load.
/// </summary>
internal sealed class BackgroundLoad : IDisposable
{
    private static readonly byte[] s_burst =
        Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("INCR counter\r\n", 100)));

    private readonly RespConnection _connection;
    private readonly Thread _thread;

    public BackgroundLoad(RespConnection connection)
    {
        _connection = connection;
        _thread = new Thread(SendUntilClosed);
        _thread.Start();
    }

    public void Dispose()
    {
        _connection.Dispose();
        _thread.Join();
    }

    private void SendUntilClosed()
    {
        try
        {
            while (true)
            {
                _connection.SendRaw(s_burst);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The end of the connection, from one side or the other, is how this load ends.
            TestContext.Out.WriteLine($"The load ended: {e.Message}");
        }
    }
}
