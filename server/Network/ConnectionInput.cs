using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Network.Transport;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Network;

/// <summary>
/// What one connection receives, from its transport's pipe, as pointer and length. A socket's reader is asked for just
/// that: a <see cref="ReadResult"/> and the sequence in it, passed by value, cost as much as a tenth of a command.
/// </summary>
internal sealed unsafe class ConnectionInput
{
    private readonly PipeReader _reader;
    private readonly SocketPipeReader? _socket;
    private readonly TransportReader? _transport;
    private ReadOnlySequence<byte> _given;

    public ConnectionInput(PipeReader reader)
    {
        _reader = reader;
        _socket = reader as SocketPipeReader;
        _transport = reader as TransportReader;
    }

    /// <summary>Reads what there is; it is good until <see cref="Advance"/>, which must follow unless the connection
    /// is closed.</summary>
    /// <returns>Bytes; 0 when there are none now; -1 when no more will come.</returns>
    public int Read(out byte* start) => _socket != null ? _socket.Read(out start) : ReadPipe(out start);

    /// <summary>Ends a read that gave something.</summary>
    /// <param name="consumedBytes">Bytes dealt with, the first ones.</param>
    /// <param name="isExamined">Whether the rest is of no use without more.</param>
    public void Advance(int consumedBytes, bool isExamined)
    {
        if (_socket != null)
        {
            _socket.Advance(consumedBytes, isExamined);
        }
        else
        {
            AdvancePipe(consumedBytes, isExamined);
        }
    }

    /// <summary>After <see cref="Advance"/>: has what is still to come of an unfinished command received to where a
    /// large value can be moved from.</summary>
    /// <param name="state">How far the command was parsed.</param>
    /// <param name="arguments">Its arguments so far; the first after the verb may be the value's key.</param>
    /// <param name="shards">Where the value may go.</param>
    public void Expect(in ParseState state, ArgumentBuffer arguments, ShardMap shards)
    {
        if (state.BulkLengthPlusOne > PageMove.LeastBytes)
        {
            var keyLength = arguments.Count > 1 ? arguments.At(1)->Length : 0;
            _transport?.Expect(state.LeastLength, state.Position, shards.ValuePhase(keyLength));
        }
    }

    private int ReadPipe(out byte* start)
    {
        start = null;
        if (!_reader.TryRead(out var result))
        {
            return 0;
        }

        if (result.IsCompleted)
        {
            return -1;
        }

        _given = result.Buffer;
        var bytes = _given.FirstSpan;
        start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(bytes)); // A transport's segment does not move.
        return bytes.Length;
    }

    private void AdvancePipe(int consumedBytes, bool isExamined)
    {
        var consumed = _given.GetPosition(consumedBytes);
        var examined = isExamined ? _given.End : consumed;
        _given = default;
        _reader.AdvanceTo(consumed, examined);
    }
}
