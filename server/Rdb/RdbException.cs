using System.Globalization;

namespace Strata.Server.Rdb;

/// <summary>Bytes are not what the RDB format says, or hold something that this server has not. The message says what
/// is wrong and where.</summary>
internal sealed class RdbException : Exception
{
    /// <summary>An error.</summary>
    /// <param name="problem">What is wrong.</param>
    /// <param name="offset">Where that is, bytes from the beginning.</param>
    public RdbException(string problem, long offset)
        : base(string.Create(CultureInfo.InvariantCulture, $"{problem}, at byte {offset}"))
    {
        Offset = offset;
    }

    /// <summary>Where it is, bytes from the beginning.</summary>
    public long Offset { get; }
}
