using System.Buffers;

namespace Strata.Server.Lifecycle;

/// <summary>What the live page shows, looked at again and again by one thread at a time. It costs nothing between two
/// looks.</summary>
public interface ILiveFigures
{
    /// <summary>Writes what there is now, and what has happened since the last call, as one object of JSON on one line.
    /// </summary>
    /// <param name="output">Where to.</param>
    void Write(IBufferWriter<byte> output);
}
