using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Keys;

/// <summary>COPY of a large collection, and RENAME and MOVE of one to another shard: the copy is made in steps beside
/// what the destination is, and then takes its place. The handler is executed anew for each step.</summary>
internal sealed class CopyPass : ResultPass
{
    private readonly CollectionCopy _copy;

    private CopyPass(CommandContext context, in Record source, in Key destination)
        : base(context, context.ShardOf(destination))
    {
        _copy = new CollectionCopy(
            source, context.ShardOf(destination), PackingLimits.Of(context.Server.Configuration.Current));
    }

    /// <summary>Looks the source up, which counts as one read.</summary>
    public static bool TryRead(CommandContext context, in Key source, out Record record)
        => UnderWay(context) == null ? context.TryRead(source, out record) : context.TryPeek(source, out record);

    /// <summary>Copies a collection, if that takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="source">Its key.</param>
    /// <param name="record">Its record.</param>
    /// <param name="destination">The key that the copy is for.</param>
    /// <param name="copy">The copy; null where it is to be made in one go.</param>
    /// <returns>False when the command goes on in another turn.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static bool TryCopy(
        CommandContext context, in Key source, in Record record, in Key destination, out CollectionCopy? copy)
    {
        copy = null;
        var pass = UnderWay(context) as CopyPass;
        if (pass == null)
        {
            var (count, bytes) = record.IsLarge
                ? (ShardCollections.CountOf(record), ShardCollections.WeightOf(record))
                : (0, 0);
            if (!IsLong(context, count, count, bytes))
            {
                return true;
            }

            context.Server.Shards.Budget.AskForValue(bytes, neededBytes: bytes);
            pass = new CopyPass(context, record, destination);
            if (!TryBegin(context, pass, source, destination))
            {
                return false;
            }
        }

        copy = pass._copy;
        return pass.TryEnd(context);
    }

    /// <summary>Makes a key what another was. A large collection goes there in steps, unless it stays in its shard.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="source">The key to move.</param>
    /// <param name="record">Its record.</param>
    /// <param name="destination">The other key.</param>
    /// <param name="existing">Its record, or a null one.</param>
    /// <param name="gone">What is told of the source.</param>
    /// <param name="come">What is told of the destination.</param>
    /// <inheritdoc cref="TryCopy"/>
    public static bool TryMove(
        CommandContext context,
        in Key source,
        in Record record,
        in Key destination,
        in Record existing,
        KeyEvent gone,
        KeyEvent come)
    {
        var (from, to) = (context.ShardOf(source), context.ShardOf(destination));
        CollectionCopy? copy = null;
        if (from != to && !TryCopy(context, source, record, destination, out copy))
        {
            return false;
        }

        RecordTransfer.Move(
            from, source, record, to, destination, existing, context.Change(gone), context.Change(come), copy);
        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context) => _copy.Step(EffortOfStep(context));

    /// <inheritdoc/>
    private protected override void Abandon() => _copy.Abandon();

    /// <inheritdoc/>
    private protected override void Free() => _copy.Free();
}
