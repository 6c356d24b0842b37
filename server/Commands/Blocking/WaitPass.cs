using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Blocking;

/// <summary>A command that takes from the first of very many keys that is there, or waits for one of them: it looks at
/// them in steps, and then begins to wait for them in steps. Since it holds those that it has looked at, none of them
/// has come before it waits for the last.</summary>
/// <typeparam name="T">What the command's other arguments say.</typeparam>
internal sealed class WaitPass<T> : KeyPass
{
    // What it takes to hold a key and look at it, beside its name.
    private const int EffortOfKey = 2;

    private readonly BlockingPopRequest<T> _request;
    private readonly WaitSteps _wait;
    private int _looked;

    private WaitPass(CommandContext context, in BlockingPopRequest<T> request)
        : base(context)
    {
        _request = request;
        _looked = request.FirstKey;
        _wait = new WaitSteps(request.FirstKey, request.KeyCount);
    }

    private int End => _request.FirstKey + _request.KeyCount;

    /// <summary>Goes on with a command, or begins with it, if it has very many keys, and has not waited yet.</summary>
    /// <returns>False when it is to be executed in one go.</returns>
    public static bool Executes(CommandContext context, in BlockingPopRequest<T> request)
        => context.Session.Blocked == null
            && ExecutesOneByOne(context, request, static (context, request) => new WaitPass<T>(context, request));

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _wait.Dispose(); // It has not begun to wait for all, or is to look at them anew.
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOfStep(context);
        for (; _looked < End; _looked++)
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

            if (!KeyWait.IsTurn(context, key, _request.Type, out var first))
            {
                context.Session.EndUnfinished();
                KeyWait.LetPass(context, first!);
                return false;
            }

            if (_request.Pop(context, key, _request.Arguments) != Lookup.Missing)
            {
                return true;
            }
        }

        return _wait.TryBlock(context, _request.Type, _request.TimeoutMs, effort);
    }
}
