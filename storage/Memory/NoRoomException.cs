namespace Strata.Storage.Memory;

/// <summary>Memory is at its end, and a command is broken off that would take much by itself: for its reply, or for a
/// value that it makes of others. It can be tried again when something was given up for it.</summary>
public class NoRoomException : MemoryExhaustedException
{
    /// <summary>A command was broken off.</summary>
    /// <param name="bytes">What it was about to take.</param>
    /// <param name="message">What its client is told if there can be no room.</param>
    public NoRoomException(long bytes, string message)
        : base(message)
    {
        Bytes = bytes;
    }

    /// <summary>Memory that the command needs at least, bytes.</summary>
    public long Bytes { get; }
}
