using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Tiering;

namespace Strata.Server.Commands.Shared;

/// <summary>The errors that data on a disk can bring.</summary>
internal static class TierErrors
{
    private static readonly ConcurrentDictionary<int, byte[]> s_misconf = new();

    /// <summary>Answers that what does not fit into memory cannot be written (the word is Redis's).</summary>
    public static void WriteMisconf(ReplyWriter reply, int errno)
        => reply.Error(s_misconf.GetOrAdd(errno, static errno => Encoding.UTF8.GetBytes(
            "MISCONF Data that does not fit into memory is kept on disk (storage-tier yes), but it cannot be written "
            + $"there: {Describe(errno)}. Commands that may add data are refused until a write succeeds; reads go on. "
            + "Free some space in 'dir', or look into the disk's errors.")));

    /// <summary>Answers that a record cannot be read.</summary>
    public static void WriteUnreadable(ReplyWriter reply, ColdReadSet set)
    {
        if (set.Failure is ColdReadFailure.TooLarge or ColdReadFailure.NoRoom)
        {
            WriteRefusal(reply, set);
        }
        else if (set.Failure == ColdReadFailure.Damaged)
        {
            reply.Error("IOERR The key's record on the disk is damaged: its checksum is wrong"u8);
        }
        else
        {
            reply.Error($"IOERR The key's record cannot be read from the disk: {Describe(set.FailureErrno)}");
        }
    }

    /// <summary>Ends a transaction whose records do not fit into memory together, before the first of its commands.
    /// </summary>
    public static void RefuseTransaction(CommandContext context, ColdReadSet set)
    {
        var start = context.Reply.Length;
        WriteRefusal(context.Reply, set);
        context.Session.Transaction.OnRefused(context.Row, context.Reply, start);
    }

    private static void WriteRefusal(ReplyWriter reply, ColdReadSet set)
        => reply.Error(set.Failure == ColdReadFailure.NoRoom
            ? Errors.OutOfMemory
            : "OOM The values on the disk that the command needs at the same time are larger than 'maxmemory': ask "u8
                + "for fewer keys at a time"u8);

    private static string Describe(int errno) => $"{Marshal.GetPInvokeErrorMessage(errno)} (errno {errno})";
}
