namespace Strata.Server.Rdb;

/// <summary>Where the bytes of an RDB file go.</summary>
internal interface IRdbSink
{
    /// <summary>Writes bytes behind those there are.</summary>
    /// <exception cref="IOException">They could not be written, or not all.</exception>
    void Write(ReadOnlySpan<byte> bytes);
}
