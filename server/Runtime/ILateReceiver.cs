using Strata.Server.Resp;

namespace Strata.Server.Runtime;

/// <summary>A connection whose reply may wait in a <see cref="ReplyBatch"/>.</summary>
internal interface ILateReceiver
{
    /// <summary>Whether one waits there.</summary>
    bool IsBatched { get; set; }

    /// <summary>Sends it. Not while a command of this client is executed.</summary>
    void SendLate(ReplyWriter? replies = null, int start = 0, int length = 0);
}
