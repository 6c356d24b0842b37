using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>A command that reads long strings, in steps. Only of those in memory: what is read from the device is there
/// for one step alone.</summary>
internal abstract class StringPass : KeyPass
{
    // Bytes that are read or copied in about the time an element of a collection takes.
    private protected const int BytesPerUnit = 1024;

    private protected StringPass(CommandContext context)
        : base(context)
    {
    }

    /// <summary>Goes on with a command that needs no lease for a short string, and has begun with a long one.</summary>
    /// <returns>Whether there is nothing else to do.</returns>
    public static bool GoesOn(CommandContext context)
        => context.Session.Unfinished != null && MustGoOn(context);

    private static bool MustGoOn(CommandContext context) => WantsLease(context) || TryGoOn(context);

    /// <summary>Whether a command is to be executed again under the lease, since it holds a key.</summary>
    private protected static bool WantsLease(CommandContext context)
    {
        context.NeedsLease |= !context.IsLeased;
        return !context.IsLeased;
    }

    /// <summary>Whether a command is to go on in steps.</summary>
    /// <param name="context">The command.</param>
    /// <param name="bytes">Bytes that it reads.</param>
    private protected static bool AreMany(CommandContext context, long bytes) => IsLong(context, bytes / BytesPerUnit);

    /// <summary>Whether a string can be read in steps.</summary>
    private protected static bool StaysAtHand(CommandContext context, in Key key, in Record record)
        => record.Type == RecordType.String && context.ShardOf(key).Log.IsMutable(record);

    /// <summary>Bytes that are read in a step.</summary>
    private protected static int BytesOfStep(CommandContext context) => EffortOfStep(context) * BytesPerUnit;

    /// <summary>Looks a string up, in a step.</summary>
    /// <returns>False when there is none, or it is on its way to the device: the command begins anew.</returns>
    private protected bool TryOpen(CommandContext context, in Key key, out Record record)
    {
        var isThere = context.TryPeek(key, out record) && context.HasSeenAll;
        if (isThere && StaysAtHand(context, key, record))
        {
            return true;
        }

        BeginAnewAtOnce();
        return false;
    }
}
