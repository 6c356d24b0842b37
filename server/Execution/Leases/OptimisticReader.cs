using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Leases;

namespace Strata.Server.Execution.Leases;

/// <summary>
/// Runs lease-free handlers between two looks at the versions of the shards they read (optimistic lock coupling, Leis
/// et al., DaMoN '16), at most twice; then they must run under the leases. What a handler that read torn data left
/// behind is taken back, its exception included: under the leases it would be thrown again. Of a client that keeps what
/// it reads that is announced before the first look: who changes the key afterwards has it told.
/// </summary>
internal static class OptimisticReader
{
    private const int Attempts = 2;

    /// <summary>Reads one shard.</summary>
    /// <param name="context">The command.</param>
    /// <param name="lease">The shard's lease.</param>
    /// <param name="before">What was there before the reply that stands.</param>
    /// <returns>Whether the reply stands.</returns>
    public static bool TryRead(CommandContext context, ShardLease lease, out ReplySnapshot before)
    {
        before = default;
        if (context.Client.RemembersReads)
        {
            var session = context.Session;
            session.Worker.Tracking.Announce(context.Key.Hash, session.Tracking!.Client);
        }

        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var version = lease.ReadVersion();
            if (ShardLease.IsFree(version) && IsCurrent(context))
            {
                before = ReplySnapshot.Take(context);
                context.ReadVersion = version;
                context.ReadVersions = null;
                if (TryRun(context) && lease.IsUnchanged(version))
                {
                    return true;
                }

                before.Restore(context);
                before.ForgetAsked(context);
            }
        }

        return false;
    }

    /// <summary>Reads several shards as they were at one moment: all versions are taken before and looked at after.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="shards">The shards.</param>
    /// <param name="before">What was there before the reply that stands.</param>
    /// <returns>Whether the reply stands.</returns>
    public static bool TryRead(CommandContext context, LeaseSet shards, out ReplySnapshot before)
    {
        before = default;
        if (context.Client.RemembersReads)
        {
            var session = context.Session;
            session.Worker.Tracking.Announce(shards.KeySpan, session.Tracking!.Client);
        }

        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            if (shards.TryReadVersions() && IsCurrent(context))
            {
                before = ReplySnapshot.Take(context);
                context.ReadVersions = shards.Versions;
                if (TryRun(context) && shards.AreUnchanged())
                {
                    return true;
                }

                before.Restore(context);
                before.ForgetAsked(context);
            }
        }

        return false;
    }

    /// <summary>Whether the keys belong to the shards they were hashed to: databases are exchanged under all leases, so
    /// what is true here stays true while the versions do.</summary>
    private static bool IsCurrent(CommandContext context)
        => context.DatabaseVersion == context.Server.Databases.Version;

    private static bool TryRun(CommandContext context)
    {
        context.IsLeased = false;
        context.NeedsLease = false;
        try
        {
            context.Row.Handler(context);
        }
        catch (Exception)
        {
            return false; // Torn data, or an error that will be met again, and reported, under the lease.
        }

        return !context.NeedsLease;
    }
}
