using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Blocking;

/// <summary>A command that takes from the first of very many keys that is there, or waits for one of them: it looks at
/// them in steps, and then begins to wait for them in steps. Since it holds those that it has looked at, none of them
/// has come before it waits for the last.</summary>
/// <typeparam name="T">What the command's other arguments say.</typeparam>
internal sealed class WaitPass<T> : KeyPass
{
    // What it takes to hold a key and look at it, and then to wait for it, beside its name.
    private const int EffortOfKey = 2;
    private const int EffortOfWait = 8;

    private readonly RecordType _type;
    private readonly int _end;
    private readonly long _timeoutMs;
    private readonly T _arguments;
    private readonly PopAttempt<T> _pop;
    private BlockedCommand? _blocked;
    private int _looked;
    private int _entered;

    private WaitPass(
        CommandContext context,
        RecordType type,
        int firstKey,
        int keyCount,
        long timeoutMs,
        in T arguments,
        PopAttempt<T> pop)
        : base(context)
    {
        _type = type;
        _end = firstKey + keyCount;
        _timeoutMs = timeoutMs;
        _arguments = arguments;
        _pop = pop;
        _looked = firstKey;
        _entered = firstKey;
    }

    /// <summary>Goes on with a command, or begins with it, if it has very many keys, and has not waited yet.</summary>
    /// <inheritdoc cref="BlockingPop.Execute"/>
    /// <returns>False when it is to be executed in one go.</returns>
    public static bool Executes(
        CommandContext context,
        RecordType type,
        int firstKey,
        int keyCount,
        long timeoutMs,
        in T arguments,
        PopAttempt<T> pop)
    {
        if (context.Count <= context.Row.ArgumentsAtOnce || context.Session.Blocked != null)
        {
            return false;
        }

        if (TryGoOn(context))
        {
            return true;
        }

        if (!HoldsOneByOne(context))
        {
            return false;
        }

        BeginOneByOne(context, new WaitPass<T>(context, type, firstKey, keyCount, timeoutMs, arguments, pop));
        return true;
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _blocked?.Leave(); // It has not begun to wait for all, or is to look at them anew.
        _blocked = null;
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOfStep(context);
        for (; _looked < _end; _looked++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = context.KeyAt(_looked);
            effort -= EffortOfKey + StepEffort.Of(key.Length);
            if (!TryHold(context, key))
            {
                return false;
            }

            if (!KeyWait.IsTurn(context, key, _type, out var first))
            {
                context.Session.EndUnfinished();
                KeyWait.LetPass(context, first!);
                return false;
            }

            if (_pop(context, key, _arguments) != Lookup.Missing)
            {
                return true;
            }
        }

        return TryWait(context, effort);
    }

    /// <summary>Goes on to wait for the keys, none of which is there.</summary>
    private bool TryWait(CommandContext context, int effort)
    {
        _blocked ??= KeyWait.Begin(context, _type, _timeoutMs);
        for (; _entered < _end; _entered++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = context.KeyAt(_entered);
            effort -= EffortOfWait + StepEffort.Of(key.Length);
            _blocked.Add(context.ShardOf(key), key);
        }

        context.Session.Block(_blocked);
        _blocked = null;
        return true;
    }
}
