namespace Strata.Server.Rdb;

/// <summary>Where the bytes of an RDB file come from.</summary>
internal interface IRdbSource
{
    /// <summary>Reads the next bytes.</summary>
    /// <returns>How many; 0 at the end.</returns>
    /// <exception cref="IOException">They could not be read.</exception>
    int Read(Span<byte> target);
}
