namespace Strata.Server.Options;

/// <summary>
/// When a client that does not read its replies is cut off; 0 in a field means that it does not limit.
/// </summary>
/// <param name="HardBytes">Unread output at which the client is closed at once.</param>
/// <param name="SoftBytes">Unread output at which it is closed when it lasts.</param>
/// <param name="SoftSeconds">How long <paramref name="SoftBytes"/> must last.</param>
public readonly record struct OutputBufferLimit(long HardBytes, long SoftBytes, long SoftSeconds);
