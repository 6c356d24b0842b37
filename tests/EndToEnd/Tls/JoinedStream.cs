using System.Net.Sockets;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A client's stream that sends all that was written at once, when something is to be read.</summary>
internal sealed class JoinedStream(Socket socket) : NetworkStream(socket, ownsSocket: true)
{
    private readonly MemoryStream _written = new();

    public override void Flush()
    {
    }

    public override void Write(byte[] buffer, int offset, int count) => _written.Write(buffer, offset, count);

    // The other ways to read and write end in these where a class derives from NetworkStream.
    public override int Read(byte[] buffer, int offset, int count)
    {
        if (_written.Length > 0)
        {
            base.Write(_written.GetBuffer(), 0, (int)_written.Length);
            _written.SetLength(0);
        }

        return base.Read(buffer, offset, count);
    }

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        _written.Dispose();
    }
}
