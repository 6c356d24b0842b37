using System.Net.Sockets;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A stream that changes bytes of one of the writes to it.</summary>
/// <param name="inner">Takes them.</param>
/// <param name="random">Says which bytes.</param>
/// <param name="write">Which write, from 0.</param>
/// <param name="cut">What nothing more is sent by when these have been written; null to go on.</param>
internal sealed class DamagedStream(Stream inner, Random random, int write, Socket? cut) : StreamAround(inner)
{
    private int _left = write;

    private static ReadOnlySpan<byte> Interesting => [0, 1, 2, 3, 20, 21, 22, 23, 24, 0x40, 0x7F, 0x80, 0xFE, 0xFF];

    public override void Write(byte[] buffer, int offset, int count)
    {
        var right = buffer.AsSpan(offset, count).ToArray();
        if (_left-- != 0)
        {
            Inner.Write(right);
            return;
        }

        Inner.Write(Mutation.Of(right, random, Interesting));
        cut?.Shutdown(SocketShutdown.Send);
    }
}
