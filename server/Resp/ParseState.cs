namespace Strata.Server.Resp;

/// <summary>How far the parser is in a command that has not arrived whole. All positions count from the command's first
/// byte, so that the bytes may be moved between two calls.</summary>
public struct ParseState
{
    /// <summary>Bytes read so far; after a complete command, its length.</summary>
    public int Position;

    /// <summary>Arguments not read yet; 0 before the header was read.</summary>
    public int ArgumentsLeft;

    /// <summary>Length of the argument under way plus one; 0 when its header was not read.</summary>
    public int BulkLengthPlusOne;

    /// <summary>What is wrong, after <see cref="ParseStatus.Error"/>.</summary>
    public ProtocolError Error;

    /// <summary>Whether there is no memory for the command: what has come of it is forgotten, <see cref="Position"/>
    /// may be negative, and the arguments lie nowhere.</summary>
    public bool IsRefused;

    /// <summary>The byte found in place of '$', for <see cref="ProtocolError.ExpectedDollar"/>.</summary>
    public byte Found;

    /// <summary>Forgets the bytes read so far, of a command that is not to be executed.</summary>
    /// <param name="length">Bytes there are.</param>
    /// <returns>Bytes forgotten: the rest, the beginning of a line, is still needed.</returns>
    public int Skip(int length)
    {
        var skipped = BulkLengthPlusOne > 0 ? length : Position;
        Position -= skipped;
        return skipped;
    }

    /// <summary>Bytes the command has at least; more are needed before it can be complete.</summary>
    public readonly long LeastLength => BulkLengthPlusOne > 0
        ? (long)Position + BulkLengthPlusOne + 1 + ((long)(ArgumentsLeft - 1) * 6)
        : Position + ((long)ArgumentsLeft * 6);
}
