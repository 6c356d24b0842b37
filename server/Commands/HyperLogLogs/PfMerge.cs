using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>PFMERGE destkey [sourcekey [sourcekey ...]]</summary>
internal static class PfMerge
{
    public static readonly CommandRow Row = new("pfmerge", -2, CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Insert), Execute)
    {
        HoldsOneByOne = true,
        ArgumentsAtOnce = ServerLimits.HyperLogLogsAtOnce,
        SecondKeys = new KeySpec(2, -1, 1, KeyAccess.ReadOnly | KeyAccess.Access),
        Group = CommandGroup.HyperLogLog,
        Categories = AclCategories.HyperLogLog,
        Since = "2.8.9",
        Summary = "Makes a HyperLogLog the union of itself and others.",
        Complexity = "O(N) for N HyperLogLogs",
        Syntax = "destkey [sourcekey [sourcekey ...]]",
    };

    private static void Execute(CommandContext context)
    {
        if (EachKeyPass.Executes(
            context,
            static context => new UnionPass(context, static (end, union) => Store(end, union.Ranks, union.IsAnyDense))))
        {
            return;
        }

        Span<byte> ranks = stackalloc byte[HyperLogLogFormat.Registers];
        ranks.Clear();
        var isAnyDense = false;
        foreach (var key in context.KeysFrom(1))
        {
            if (!HyperLogLogAccess.TryRaise(context, key, ranks, ref isAnyDense, out _))
            {
                return;
            }
        }

        Store(context, ranks, isAnyDense);
    }

    private static void Store(CommandContext context, ReadOnlySpan<byte> ranks, bool isAnyDense)
    {
        Span<byte> buffer = stackalloc byte[HyperLogLogDraft.BufferBytes];
        var key = context.KeyAt(1);
        _ = context.WriteString(key, out var target);
        var draft = target.IsNull ? HyperLogLogDraft.Empty(buffer) : default;
        if ((!target.IsNull && !HyperLogLogDraft.TryCopy(buffer, target.Value, out draft))
            || !TryRaiseAll(context, ref draft, ranks, isAnyDense))
        {
            HyperLogLogAccess.RefuseCorrupted(context);
            return;
        }

        HyperLogLogFormat.ForgetCardinality(draft.Bytes);
        var edited = new StringEditor(context.ShardOf(key), key, target);
        HyperLogLogAccess.Put(ref edited, target, draft.Bytes);
        edited.End(context.Change(KeyEvent.PfAdd));
        context.Reply.Ok();
    }

    private static bool TryRaiseAll(
        CommandContext context, ref HyperLogLogDraft draft, ReadOnlySpan<byte> ranks, bool isAnyDense)
    {
        if (isAnyDense && !draft.IsDense && !draft.TryMakeDense())
        {
            return false;
        }

        var maxBytes = HyperLogLogAccess.MaxSparseBytes(context);
        for (var i = 0; i < ranks.Length; i++)
        {
            if (ranks[i] > 0 && draft.Raise(i, ranks[i], maxBytes) == RegisterChange.Corrupt)
            {
                return false;
            }
        }

        return true;
    }
}
