using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Text;
using Strata.Storage.Changes;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>PFDEBUG subcommand key</summary>
internal static class PfDebug
{
    public static readonly CommandRow Row = new("pfdebug", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Admin,
        new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.HyperLogLog,
        Categories = AclCategories.HyperLogLog,
        Since = "2.8.9",
        IsSystemCommand = true,
        Summary = "Tells of a HyperLogLog's registers and how they are kept.",
        Complexity = "N/A",
        Syntax = "subcommand key",
    };

    private static void Execute(CommandContext context)
    {
        var lookup = context.WriteString(context.KeyAt(2), out var record);
        if (lookup == Lookup.Missing)
        {
            context.Reply.Error("ERR The specified key does not exist"u8);
        }
        else if (HyperLogLogAccess.IsOneOrMissing(context, lookup, record))
        {
            Execute(context, record);
        }
    }

    private static void Execute(CommandContext context, in Record record)
    {
        if (context.IsWord(1, "getreg"u8))
        {
            if (TryMakeDense(context, record, out _))
            {
                ReplyRegisters(context);
            }
        }
        else if (context.IsWord(1, "decode"u8))
        {
            Decode(context, record.Value);
        }
        else if (context.IsWord(1, "encoding"u8))
        {
            context.Reply.Simple(HyperLogLogFormat.IsDense(record.Value) ? "dense"u8 : "sparse"u8);
        }
        else if (context.IsWord(1, "todense"u8))
        {
            if (TryMakeDense(context, record, out var isNew))
            {
                context.Reply.Integer(isNew ? 1 : 0);
            }
        }
        else
        {
            context.Reply.Error($"ERR Unknown PFDEBUG subcommand '{EchoedArgument.Of(context.Argument(1))}'");
        }
    }

    private static bool TryMakeDense(CommandContext context, in Record record, out bool isNew)
    {
        isNew = !HyperLogLogFormat.IsDense(record.Value);
        if (!isNew)
        {
            return true;
        }

        Span<byte> buffer = stackalloc byte[HyperLogLogDraft.BufferBytes];
        if (!HyperLogLogDraft.TryCopy(buffer, record.Value, out var draft) || !draft.TryMakeDense())
        {
            HyperLogLogAccess.RefuseCorrupted(context);
            return false;
        }

        var key = context.KeyAt(2);
        var edited = new StringEditor(context.ShardOf(key), key, record);
        HyperLogLogAccess.Put(ref edited, record, draft.Bytes);
        edited.End(context.Change(KeyEvent.Grown));
        return true;
    }

    private static void ReplyRegisters(CommandContext context)
    {
        _ = context.TryPeek(context.KeyAt(2), out var record);
        var registers = HyperLogLogFormat.RegistersOf(record.Value);
        context.Reply.Array(HyperLogLogFormat.Registers);
        for (var i = 0; i < HyperLogLogFormat.Registers; i++)
        {
            context.Reply.Integer(DenseRegisters.Get(registers, i));
        }
    }

    private static void Decode(CommandContext context, ReadOnlySpan<byte> value)
    {
        if (HyperLogLogFormat.IsDense(value))
        {
            context.Reply.Error("ERR HLL encoding is not sparse"u8);
            return;
        }

        if (value.Length > HyperLogLogFormat.MaxSparseBytes)
        {
            HyperLogLogAccess.RefuseCorrupted(context);
            return;
        }

        var codes = HyperLogLogFormat.RegistersOf(value);
        var text = new StringBuilder();
        for (var at = 0; at < codes.Length;)
        {
            var code = SparseCode.Read(codes, at);
            _ = code.IsZero
                ? text.Append(CultureInfo.InvariantCulture, $"{(code.Bytes == 1 ? 'z' : 'Z')}:{code.Run} ")
                : text.Append(CultureInfo.InvariantCulture, $"v:{code.Value},{code.Run} ");
            at += code.Bytes;
        }

        context.Reply.Bulk(text.ToString().TrimEnd(' '));
    }
}
