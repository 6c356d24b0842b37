using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Index;

namespace Strata.Server.Execution.Runs;

/// <summary>One command of a run: where its arguments are, its key, and where its reply is after execution.</summary>
internal unsafe struct RunEntry
{
    public CommandRow Row;
    public Key Key;

    /// <summary>The command's first byte, and its arguments in the run's argument buffer.</summary>
    public byte* Start;
    public int FirstArgument;
    public int ArgumentCount;

    /// <summary>Bytes of the whole command.</summary>
    public int Length;

    /// <summary>Where the reply lies, if another worker has executed the command.</summary>
    public ReplyWriter? ReplyBuffer;
    public int ReplyStart;
    public int ReplyLength;

    /// <summary>What became of it, and how long that took, as far as known (<see cref="RunClock"/>).</summary>
    public RunOutcome Outcome;
    public long Nanoseconds;

    /// <summary>Bytes of the command and of its reply.</summary>
    public int MovedBytes;

    /// <summary>Whether the reply lies in a buffer, is large, and the last there, so that it need not be copied: as
    /// such replies mostly are, since then the buffer is full.</summary>
    public readonly bool HasLargeReply
        => Outcome != RunOutcome.Deferred && ReplyLength > ServerLimits.MaxGatheredBytes
            && ReplyBuffer!.Length == ReplyStart + ReplyLength;

    /// <summary>What is written to <paramref name="buffer"/> from here on is the reply.</summary>
    public void BeginReply(ReplyWriter buffer)
    {
        ReplyBuffer = buffer;
        ReplyStart = buffer.Length;
    }

    /// <summary>The reply is written.</summary>
    public void EndReply() => ReplyLength = ReplyBuffer!.Length - ReplyStart;

    /// <summary>Copies the reply, which lies in a buffer, or moves it.</summary>
    public readonly void PutReply(ReplyWriter output)
    {
        if (HasLargeReply)
        {
            ReplyBuffer!.CountErrors(); // Of those before it: they stay, and what they begin with moves.
            output.TakeFrom(ReplyBuffer, ReplyStart);
        }
        else
        {
            output.Copy(ReplyBuffer!, ReplyStart, ReplyLength);
        }
    }
}
