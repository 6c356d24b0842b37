using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Interests;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Blocking;

/// <summary>What BLPOP, BZMPOP and their like do: take from the first of several keys that is there, or wait for one.
/// </summary>
internal static class BlockingPop
{
    /// <summary>Takes from the first key that has something, or waits.</summary>
    /// <typeparam name="T">What the command's other arguments say.</typeparam>
    /// <param name="context">The command.</param>
    /// <param name="type">The type of value the keys should have.</param>
    /// <param name="firstKey">Index of the first key.</param>
    /// <param name="keyCount">Number of keys.</param>
    /// <param name="timeoutMs">Milliseconds to wait at most; 0 for ever.</param>
    /// <param name="arguments">The other arguments.</param>
    /// <param name="pop">What takes from a key.</param>
    public static void Execute<T>(
        CommandContext context,
        RecordType type,
        int firstKey,
        int keyCount,
        long timeoutMs,
        in T arguments,
        PopAttempt<T> pop)
    {
        if (KeyWait.TryEnd(context)
            || WaitPass<T>.Executes(context, type, firstKey, keyCount, timeoutMs, arguments, pop))
        {
            return;
        }

        AwaitedKey? first = null;
        var waitsOn = KeyWait.WaitsOn(context, type, firstKey, keyCount);
        for (var i = firstKey; i < firstKey + keyCount && first == null && !waitsOn; i++)
        {
            // Who came before may leave something there: until they have had their turn, no later key is looked at.
            var key = context.KeyAt(i);
            if (KeyWait.IsTurn(context, key, type, out first) && pop(context, key, arguments) != Lookup.Missing)
            {
                KeyWait.End(context);
                return;
            }
        }

        if (context.IsInTransaction)
        {
            context.Reply.NullArray();
        }
        else
        {
            KeyWait.Wait(context, type, firstKey, keyCount, timeoutMs, first);
        }
    }
}
