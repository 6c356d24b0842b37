using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>There is no memory for a command's reply.</summary>
/// <param name="bytes">What the reply takes at least.</param>
public sealed class ReplyRefusedException(long bytes)
    : NoRoomException(bytes, "command not allowed: there is no memory for its reply");
