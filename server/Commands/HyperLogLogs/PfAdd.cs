using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>PFADD key [element [element ...]]</summary>
internal static class PfAdd
{
    /// <summary>With so many elements it pays to make a table of what the registers are.</summary>
    private const int LeastForTable = 32;

    public static readonly CommandRow Row = new("pfadd", -2,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.HyperLogLog,
        Categories = AclCategories.HyperLogLog,
        Since = "2.8.9",
        Summary = "Adds elements to a HyperLogLog, which is made if there is none.",
        Complexity = "O(1) for each element",
        Syntax = "key [element [element ...]]",
    };

    private static void Execute(CommandContext context)
    {
        var lookup = context.WriteString(context.Key, out var record);
        if (!HyperLogLogAccess.IsOneOrMissing(context, lookup, record))
        {
            return;
        }

        if (lookup == Lookup.Found && HyperLogLogFormat.IsDense(record.Value))
        {
            AddToDense(context, record);
        }
        else
        {
            AddToSparse(context, record);
        }
    }

    /// <summary>Adds to registers that are changed where they lie.</summary>
    private static void AddToDense(CommandContext context, in Record record)
    {
        var edited = new StringEditor(context.Shard, context.Key, record);
        var registers = HyperLogLogFormat.RegistersOf(record.Value);
        var isChanged = false;
        for (var i = 2; i < context.Count; i++)
        {
            var (register, rank) = HyperLogLogFormat.Place(context.Argument(i));
            if (DenseRegisters.Get(registers, register) >= rank)
            {
                continue;
            }

            if (!isChanged)
            {
                edited.Resize(HyperLogLogFormat.DenseBytes);
                registers = HyperLogLogFormat.RegistersOf(edited.Value);
                isChanged = true;
            }

            DenseRegisters.Set(HyperLogLogFormat.RegistersOf(edited.Value), register, rank);
        }

        End(context, edited, isChanged);
    }

    /// <summary>Adds to registers that may change their length, or to none.</summary>
    [SkipLocalsInit]
    private static void AddToSparse(CommandContext context, in Record record)
    {
        if (!record.IsNull && HasAll(context, record))
        {
            context.Reply.Integer(0);
            return;
        }

        Span<byte> buffer = stackalloc byte[HyperLogLogDraft.BufferBytes];
        var draft = record.IsNull ? HyperLogLogDraft.Empty(buffer) : default;
        if ((!record.IsNull && !HyperLogLogDraft.TryCopy(buffer, record.Value, out draft))
            || !TryAddAll(context, ref draft, out var isChanged))
        {
            HyperLogLogAccess.RefuseCorrupted(context);
            return;
        }

        isChanged |= record.IsNull;
        var edited = new StringEditor(context.Shard, context.Key, record);
        if (isChanged)
        {
            HyperLogLogAccess.Put(ref edited, record, draft.Bytes);
        }

        End(context, edited, isChanged);
    }

    /// <summary>Whether none of a few elements changes anything, as mostly: then nothing need be copied.</summary>
    private static bool HasAll(CommandContext context, in Record record)
    {
        if (context.Count > LeastForTable)
        {
            return false;
        }

        var codes = HyperLogLogFormat.RegistersOf(record.Value);
        for (var i = 2; i < context.Count; i++)
        {
            var (register, rank) = HyperLogLogFormat.Place(context.Argument(i));
            if (SparseRegisters.ValueOf(codes, register) < rank)
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryAddAll(CommandContext context, ref HyperLogLogDraft draft, out bool isChanged)
        => context.Count > LeastForTable
            ? TryAddMany(context, ref draft, out isChanged)
            : TryAdd(context, ref draft, [], out isChanged);

    /// <summary>Adds elements, most of which may be there: what registers hold is looked up in a table.</summary>
    private static bool TryAddMany(CommandContext context, ref HyperLogLogDraft draft, out bool isChanged)
    {
        Span<byte> ranks = stackalloc byte[HyperLogLogFormat.Registers];
        ranks.Clear();
        _ = SparseRegisters.TryRaiseIn(HyperLogLogFormat.RegistersOf(draft.Bytes), ranks);
        return TryAdd(context, ref draft, ranks, out isChanged);
    }

    private static bool TryAdd(
        CommandContext context, ref HyperLogLogDraft draft, scoped Span<byte> ranks, out bool isChanged)
    {
        var maxBytes = HyperLogLogAccess.MaxSparseBytes(context);
        isChanged = false;
        for (var i = 2; i < context.Count; i++)
        {
            var (register, rank) = HyperLogLogFormat.Place(context.Argument(i));
            if (ranks.Length > 0)
            {
                if (ranks[register] >= rank)
                {
                    continue;
                }

                ranks[register] = (byte)rank;
            }

            var change = draft.Raise(register, rank, maxBytes);
            if (change == RegisterChange.Corrupt)
            {
                return false;
            }

            isChanged |= change == RegisterChange.Raised;
        }

        return true;
    }

    private static void End(CommandContext context, in StringEditor edited, bool isChanged)
    {
        if (isChanged)
        {
            HyperLogLogFormat.ForgetCardinality(edited.Value);
            edited.End(context.Change(KeyEvent.PfAdd));
        }

        context.Reply.Integer(isChanged ? 1 : 0);
    }
}
