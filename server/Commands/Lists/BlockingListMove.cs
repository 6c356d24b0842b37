using Strata.Server.Clients;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Interests;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Lists;

/// <summary>What BLMOVE and BRPOPLPUSH do.</summary>
internal static class BlockingListMove
{
    /// <summary>How the commands differ from Redis's.</summary>
    public const string Differs = "Where a command gives a list several elements and several clients wait for them, a "
        + "client that waits for what they are moved to may have its turn before the last of these.";

    /// <summary>Moves an element from the first key to the second, or waits for one.</summary>
    public static void Execute(CommandContext context, ListEnd from, ListEnd to, int timeoutIndex)
    {
        if (!BlockingTimeout.TryRead(context, timeoutIndex, out var timeoutMs) || KeyWait.TryEnd(context))
        {
            return;
        }

        var source = context.KeyAt(1);
        AwaitedKey? first = null;
        if (!KeyWait.WaitsOn(context, RecordType.List, 1, 1)
            && KeyWait.IsTurn(context, source, RecordType.List, out first)
            && ListAccess.Move(context, source, context.KeyAt(2), from, to) != Lookup.Missing)
        {
            TellEffect(context, from, to);
            KeyWait.End(context);
        }
        else if (!context.MayBlock)
        {
            context.Reply.Null();
        }
        else
        {
            KeyWait.Wait(context, RecordType.List, 1, 1, timeoutMs, first);
        }
    }

    /// <summary>Tells the journal of the move, without the wait; a wrong type of value was answered, and nothing done.
    /// </summary>
    private static void TellEffect(CommandContext context, ListEnd from, ListEnd to)
    {
        if (context.Effects is { IsChanged: true } effects)
        {
            effects.Begin(5, "LMOVE"u8);
            effects.Argument(context.Argument(1));
            effects.Argument(context.Argument(2));
            effects.Argument(Word(from));
            effects.Argument(Word(to));
        }
    }

    private static ReadOnlySpan<byte> Word(ListEnd end) => end == ListEnd.Head ? "LEFT"u8 : "RIGHT"u8;
}
