using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Server.Network.Transport;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Network.Transport.Tls;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Memory;

namespace Strata.Server.Network;

/// <summary>
/// What one connection receives, from its transport's pipe, as pointer and length, and how far it was parsed. A
/// socket's reader is asked for just that, encrypted or not: a <see cref="ReadResult"/> and the sequence in it, passed
/// by value, cost as much as a tenth of a command.
/// </summary>
internal sealed unsafe class ConnectionInput
{
    private readonly WorkerContext _worker;
    private readonly PipeReader _reader;
    private readonly SocketPipeReader? _socket;
    private readonly TlsPipeReader? _tls;
    private readonly TransportReader? _transport;
    private ReadOnlySequence<byte> _given;
    private ParseState _state;
    private bool _isInUse;
    private bool _isClosed;
    [SuppressMessage("Usage", "CA2213", Justification = "It goes back to the worker's pool.")]
    private ArgumentBuffer? _arguments;

    public ConnectionInput(WorkerContext worker, PipeReader reader)
    {
        _worker = worker;
        _reader = reader;
        _socket = reader as SocketPipeReader;
        _tls = reader as TlsPipeReader;
        _transport = reader as TransportReader;
    }

    /// <summary>How far a command was parsed that has not come whole.</summary>
    public ref ParseState State => ref _state;

    /// <summary>Bytes that were dealt with, in all.</summary>
    public long ConsumedBytes { get; private set; }

    /// <summary>Bytes of an unfinished command's arguments that are there.</summary>
    public long ParsedBytes => _arguments == null ? 0 : Math.Max(_state.Position, 0);

    /// <summary>Memory of the unfinished command's arguments, bytes.</summary>
    public long ArgumentBytes => _arguments == null ? 0 : (long)_arguments.Count * sizeof(Argument);

    /// <summary>Reads what there is; it is good until it is advanced, which must follow unless the connection is
    /// closed.</summary>
    /// <returns>Bytes; 0 when there are none now; -1 when no more will come.</returns>
    public int Read(out byte* start)
        => _socket != null ? _socket.Read(out start)
            : _tls != null ? _tls.Read(out start)
            : ReadPipe(out start);

    /// <summary>Says that commands in what was read are being executed: it is not given back before the read is
    /// advanced, or <see cref="End"/>.</summary>
    /// <returns>Where their arguments go: those of an unfinished command are there.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ArgumentBuffer Begin()
    {
        _isInUse = true;
        _worker.Arguments.Clear();
        return _arguments ?? _worker.Arguments;
    }

    /// <summary>What was read is not looked at any more, though it was not advanced: the connection is closed.
    /// </summary>
    public void End()
    {
        if (_isInUse && _isClosed)
        {
            Release();
        }

        _isInUse = false;
    }

    /// <summary>Gives all back, at once or when what was read is not in use any more.</summary>
    public void Close()
    {
        _isClosed = true;
        if (!_isInUse)
        {
            Release();
        }
    }

    /// <summary>What is read does not go with the commands in it: the last of them has not come whole.</summary>
    public void Keep() => _transport?.Keep();

    /// <summary>Ends a read of which all was dealt with.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int bytes)
    {
        ReturnArguments();
        AdvanceReader(bytes, isExamined: true);
    }

    /// <summary>Ends a read that leaves an unfinished command, or some that must wait.</summary>
    /// <param name="consumedBytes">Bytes dealt with, the first ones.</param>
    /// <param name="arguments">The arguments of the unfinished command.</param>
    /// <param name="isExamined">Whether the rest is of no use without more.</param>
    public void Advance(int consumedBytes, ArgumentBuffer arguments, bool isExamined)
    {
        if (arguments != _arguments && _state.ArgumentsLeft > 0)
        {
            _arguments = _worker.ArgumentBuffers.Rent();
            _arguments.CopyFrom(arguments, 0);
        }

        AdvanceReader(consumedBytes, isExamined);
        if (_state.BulkLengthPlusOne > PageMove.LeastBytes)
        {
            // What follows is received to where a large value can be moved from. The argument before it may be its key.
            var keyLength = arguments.Count > 1 ? arguments.At(1)->Length : 0;
            var phase = _worker.Server.Shards.ValuePhase(keyLength);
            _transport?.Expect(_state.LeastLength, _state.Position, phase);
        }
    }

    private void Release()
    {
        ReturnArguments();
        _reader.Complete();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void ReturnArguments()
    {
        if (_arguments != null)
        {
            _worker.ArgumentBuffers.Return(_arguments);
            _arguments = null;
        }
    }

    private void AdvanceReader(int consumedBytes, bool isExamined)
    {
        _isInUse = false;
        ConsumedBytes += consumedBytes;
        if (_socket != null)
        {
            _socket.Advance(consumedBytes, isExamined);
        }
        else if (_tls != null)
        {
            _tls.Advance(consumedBytes, isExamined);
        }
        else
        {
            AdvancePipe(consumedBytes, isExamined);
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
