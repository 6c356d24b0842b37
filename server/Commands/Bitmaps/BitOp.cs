using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITOP AND | OR | XOR | NOT destkey key [key ...]</summary>
internal static class BitOp
{
    /// <summary>The argument that is the key of the result.</summary>
    public const int Destination = 2;

    /// <summary>The first argument that is the key of a string.</summary>
    public const int FirstSource = 3;

    private const int SourcesOnStack = 16;

    public static readonly CommandRow Row = new("bitop", -4, CommandFlags.Write | CommandFlags.DenyOom,
        new KeySpec(2, 2, 1, KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        SecondKeys = new KeySpec(3, -1, 1, KeyAccess.ReadOnly | KeyAccess.Access),
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "2.6.0",
        Summary = "Combines strings bit by bit and stores the result.",
        Complexity = "O(N*M) for N strings, the longest of M bytes",
        Syntax = "<AND|OR|XOR|NOT> destkey key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (!TryReadOperation(context, out var operation) || KeyPass.TryGoOn(context))
        {
            return;
        }

        using var found = new ScratchSpan<Record>(
            context.Server.Shards.Budget, context.Count - FirstSource, stackalloc Record[SourcesOnStack]);
        var sources = found.Span;
        var (length, sourceBytes) = (0, 0L);
        for (var i = 0; i < sources.Length; i++)
        {
            if (context.ReadString(context.KeyAt(i + FirstSource), out sources[i]) == Lookup.WrongType)
            {
                context.Reply.Error(Errors.WrongType);
                return;
            }

            length = Math.Max(length, sources[i].ValueLength);
            sourceBytes += sources[i].ValueLength;
        }

        if (!BitOpPass.Begins(context, operation, sources, length, sourceBytes))
        {
            Store(context, context.KeyAt(Destination), operation, sources, length, sourceBytes);
            context.Reply.Integer(length);
        }
    }

    private static void Store(
        CommandContext context, in Key key, BitOperation operation, ReadOnlySpan<Record> sources, int length,
        long sourceBytes)
    {
        var exists = context.TryWrite(key, out var existing);
        if (length > 0)
        {
            var result = new StringEditor(context.ShardOf(key), key, existing);
            result.Create(length, expiryMs: -1, RecordFlags.Edited, sourceBytes);
            BitCombiner.Combine(operation, sources, result.Value);
            result.End(context.Change(KeyEvent.Set));
        }
        else if (exists)
        {
            context.ShardOf(key).Remove(key, existing, context.Change(KeyEvent.Del));
        }
    }

    private static bool TryReadOperation(CommandContext context, out BitOperation operation)
    {
        operation = context.IsWord(1, "and"u8) ? BitOperation.And
            : context.IsWord(1, "or"u8) ? BitOperation.Or
            : context.IsWord(1, "xor"u8) ? BitOperation.Xor
            : BitOperation.Not;
        if (operation == BitOperation.Not && !context.IsWord(1, "not"u8))
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        if (operation == BitOperation.Not && context.Count != 4)
        {
            context.Reply.Error("ERR BITOP NOT must be called with a single source key."u8);
            return false;
        }

        return true;
    }
}
