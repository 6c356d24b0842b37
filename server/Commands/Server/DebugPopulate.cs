using System.Buffers.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG POPULATE count [prefix] [size]: makes keys prefix:0, prefix:1, ... with values value:0, value:1, ...
/// in steps between which others have their turn. Keys that are there stay as they are.</summary>
internal sealed unsafe class DebugPopulate : IDisposable
{
    private const int KeysPerStep = 256;
    private const long BytesPerStep = 256 << 10;
    private const int LongestNumber = 20;

    private delegate void KeyAction(in Key key, long number);

    private static ReadOnlySpan<byte> ValuePrefix => "value:"u8;

    private long _next;

    public static void Execute(CommandContext context)
    {
        if (!TryReadArguments(context, out var count, out var size))
        {
            return;
        }

        var session = context.Session;
        var pass = session.Unfinished as DebugPopulate ?? new DebugPopulate();
        session.Unfinished = pass;
        if (!pass.TryStep(context, count, size))
        {
            return; // It is executed again when what it looks at was read.
        }

        if (pass._next < count)
        {
            context.Postponed = Postponement.GoesOn;
            return;
        }

        session.EndUnfinished();
        context.Reply.Ok();
    }

    /// <summary>All: a step's keys may be in any.</summary>
    public static void AddShards(CommandContext context, IShardSet shards)
    {
        for (var i = 0; i < context.Server.Shards.Count; i++)
        {
            shards.Add(i);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // It holds no memory.
    }

    private static bool TryReadArguments(CommandContext context, out long count, out long size)
    {
        size = 0;
        if (!context.TryInteger(2, out count) || (context.Count == 5 && !context.TryInteger(4, out size)))
        {
            return false;
        }

        if (count < 0 || size < 0)
        {
            context.Reply.Error("ERR value is out of range, must be positive"u8);
            return false;
        }

        if (size > context.Server.Configuration.Current.ProtoMaxBulkLengthBytes)
        {
            context.Reply.Error("ERR string exceeds maximum allowed size (proto-max-bulk-len)"u8);
            return false;
        }

        return true;
    }

    /// <summary>Makes some of the keys.</summary>
    /// <returns>False when some must be read first: nothing was made.</returns>
    private bool TryStep(CommandContext context, long count, long size)
    {
        var keys = context.IsInTransaction ? long.MaxValue : Math.Min(KeysPerStep, 1 + (BytesPerStep / (size + 1)));
        var end = Math.Min(count, _next + Math.Min(keys, count));
        ForEach(context, end, (in Key key, long _) => context.TryWrite(key, out Record _));
        if (!context.HasSeenAll)
        {
            return false;
        }

        ForEach(context, end, (in Key key, long number) => Make(context, key, number, size));
        _next = end;
        return true;
    }

    private void ForEach(CommandContext context, long end, KeyAction act)
    {
        var prefix = context.Count == 3 ? "key"u8 : context.Argument(3);
        var name = new byte[prefix.Length + 1 + LongestNumber];
        prefix.CopyTo(name);
        name[prefix.Length] = (byte)':';
        fixed (byte* bytes = name)
        {
            for (var number = _next; number < end; number++)
            {
                _ = Utf8Formatter.TryFormat(number, name.AsSpan(prefix.Length + 1), out var digits);
                var length = prefix.Length + 1 + digits;
                act(new Key(bytes, length, context.Database, KeyHash.Compute(bytes, length, context.Database)), number);
            }
        }
    }

    private static void Make(CommandContext context, in Key key, long number, long size)
    {
        if (context.TryWrite(key, out var existing))
        {
            return;
        }

        Span<byte> text = stackalloc byte[ValuePrefix.Length + LongestNumber];
        ValuePrefix.CopyTo(text);
        _ = Utf8Formatter.TryFormat(number, text[ValuePrefix.Length..], out var digits);
        text = text[..(ValuePrefix.Length + digits)];
        var editor = new StringEditor(context.ShardOf(key), key, existing);
        editor.Create(size == 0 ? text.Length : (int)size, expiryMs: -1, RecordFlags.None);
        var value = editor.Value;
        text[..Math.Min(text.Length, value.Length)].CopyTo(value);
        value[Math.Min(text.Length, value.Length)..].Clear();
        editor.End(context.Change(KeyEvent.Set));
        context.Effects?.Tell("SET"u8, key.Span, value);
    }
}
