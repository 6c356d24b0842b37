using System.IO.Pipelines;

namespace Strata.Server.Network.Transport;

/// <summary>
/// What carries a connection's bytes: a pipe, and what must be known beside the bytes. Worker's thread only. Disposing
/// of it ends it; output not flushed is lost. The input is completed by its reader, when nobody looks at it any more.
/// <para>
/// Nothing waits. <see cref="PipeReader.TryRead"/> gives what there is, always as one segment, which does not move; it
/// is good until <see cref="PipeReader.AdvanceTo(SequencePosition, SequencePosition)"/>, and one read of a worker is
/// under way at a time.
/// <see cref="PipeWriter.WriteAsync"/> and FlushAsync have always completed: what is not taken now is counted by <see
/// cref="PipeWriter.UnflushedBytes"/> and goes with a later flush. A result's IsCompleted says that the other end has
/// gone. When to read or flush again the transport tells by <see cref="Connection.OnEvents"/>, as often as what it is
/// watched for holds at the end of a turn.
/// </para>
/// </summary>
internal interface ITransport : IDuplexPipe, IDisposable
{
    /// <summary>The file descriptor, or -1 where there is none.</summary>
    int Descriptor { get; }

    /// <summary>Whether input that was received before waits to be looked at: reading gives it and asks nobody for
    /// more.</summary>
    bool HasUnexamined { get; }

    /// <summary>Bytes received and not consumed.</summary>
    long InputBytes { get; }

    /// <summary>Bytes that have come and were not received, about.</summary>
    long UnreceivedBytes { get; }

    /// <summary>Memory held for input that was received and not consumed, bytes.</summary>
    long InputCapacityBytes { get; }

    /// <summary>Memory held for output that is not taken, bytes.</summary>
    long OutputCapacityBytes { get; }

    /// <summary>Begins to tell the connection what it is watched for.</summary>
    /// <param name="connection">Whom to tell.</param>
    /// <param name="interest">Bits of <see cref="Readiness"/>.</param>
    /// <returns>False when the kernel refused.</returns>
    bool TryStart(Connection connection, uint interest);

    /// <summary>Changes what is watched for.</summary>
    /// <returns>False when the kernel refused.</returns>
    bool TryWatch(uint interest);

    /// <summary>Tells the client that no more comes, after all has been flushed.</summary>
    /// <returns>False when the connection has ended.</returns>
    bool TryEndOutput();

    /// <summary>Bytes of output that were taken and have not arrived, as far as can be known.</summary>
    long UnarrivedBytes { get; }

    /// <summary>Whether all output has arrived, as far as can be known: closing takes none of it back.</summary>
    bool HasArrived();
}
