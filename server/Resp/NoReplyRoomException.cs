using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>Memory is at its end, and the reply of a command that changes nothing is broken off.</summary>
public sealed class NoReplyRoomException : MemoryExhaustedException
{
    /// <summary>A reply was broken off.</summary>
    /// <param name="bytes">What it had grown to, with what was to be added.</param>
    public NoReplyRoomException(long bytes)
        : base("command not allowed: there is no memory for its reply")
    {
        Bytes = bytes;
    }

    /// <summary>Memory that the reply needs at least, bytes.</summary>
    public long Bytes { get; }
}
