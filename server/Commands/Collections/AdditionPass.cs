using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Collections;

/// <summary>
/// A command that adds many elements to a collection, or makes one of them, in steps: to a copy of the collection,
/// which takes its place in the last step. With one that has far more than is added it would be more work than the
/// change, which is made in one go there.
/// </summary>
internal abstract class AdditionPass : RewritePass
{
    // A collection is copied that has at most so many times the elements that are added. So what is copied, where one
    // is filled with command after command, is a few commands' worth of elements in all.
    private const int MostCopied = 4;

    private readonly CollectionWalk _walk = new();
    private readonly bool _wasMissing;
    private bool _isCopied;

    /// <param name="context">The command.</param>
    /// <param name="record">What the key is; a null one where it is missing.</param>
    private protected AdditionPass(CommandContext context, in Record record)
        : base(context, context.Shard)
    {
        _wasMissing = record.IsNull;
        _isCopied = record.IsNull;
        if (!record.IsNull)
        {
            _walk.Begin(record);
        }
    }

    /// <summary>Whether a command has so many arguments that it may have to go on in steps, or goes on: else it is not
    /// looked at any further.</summary>
    public static bool HasMany(CommandContext context) => context.Count > context.Server.EffortAtOnce;

    /// <summary>Whether elements are to be added in steps.</summary>
    /// <param name="context">The command.</param>
    /// <param name="elements">How many elements.</param>
    /// <param name="record">What the key is; a null one where it is missing.</param>
    private protected static bool IsLongAddition(CommandContext context, long elements, in Record record)
        => IsLong(context, elements)
            && (record.IsNull || ShardCollections.CountOf(record) / MostCopied <= elements);

    /// <inheritdoc/>
    private protected sealed override bool TryRewrite(CommandContext context)
    {
        if (context.TryWrite(context.Key, out var record) == _wasMissing)
        {
            return false; // It has come or gone, and the command begins anew.
        }

        var effort = EffortOfStep(context);
        return TryCopy(record, ref effort) && TryAdd(context, ref effort) && TryPut(context, record, ref effort);
    }

    /// <summary>Adds an element that the collection has.</summary>
    private protected abstract void Copy(in WalkedElement element);

    /// <summary>Goes on to add what the arguments name, or answers an error.</summary>
    /// <returns>Whether all of it was added.</returns>
    private protected abstract bool TryAdd(CommandContext context, ref int effort);

    /// <summary>Puts the collection, all of which is there, into its place, and answers.</summary>
    /// <returns>False when it is yet to be brought into its form.</returns>
    private protected abstract bool TryPut(CommandContext context, in Record record, ref int effort);

    private bool TryCopy(in Record record, ref int effort)
    {
        while (!_isCopied)
        {
            if (effort <= 0)
            {
                return false;
            }

            if (_walk.TryNext(record, out var element))
            {
                Copy(element);
                effort -= StepEffort.Of(element.Name.Length + element.Value.Length);
            }
            else
            {
                _isCopied = true;
            }
        }

        return true;
    }
}
