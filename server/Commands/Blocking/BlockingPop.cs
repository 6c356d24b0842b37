using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Interests;

namespace Strata.Server.Commands.Blocking;

/// <summary>What BLPOP, BZMPOP and their like do: take from the first of several keys that is there, or wait for one.
/// </summary>
internal static class BlockingPop
{
    /// <summary>Takes from the first key that has something, or waits.</summary>
    public static void Execute<T>(CommandContext context, in BlockingPopRequest<T> request)
    {
        if (KeyWait.TryEnd(context) || WaitPass<T>.Executes(context, request))
        {
            return;
        }

        var (type, firstKey, keyCount, timeoutMs, arguments, pop) = request;
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

        if (!context.MayBlock)
        {
            context.Reply.NullArray();
        }
        else
        {
            KeyWait.Wait(context, type, firstKey, keyCount, timeoutMs, first);
        }
    }
}
