using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XTRIM of many nodes of a large stream: those that go are looked for in steps, and go in the last one.
/// </summary>
internal sealed class TrimPass : KeyPass
{
    private readonly TrimArguments _arguments;
    private StreamFront _front;

    private TrimPass(CommandContext context, in TrimArguments arguments, in StreamFront front)
        : base(context)
    {
        _arguments = arguments;
        _front = front;
    }

    /// <summary>Begins, if it may take long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="arguments">How it is trimmed.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, scoped in StreamEditor stream, in TrimArguments arguments)
    {
        var view = stream.Read();
        if (view.LargeBytes == 0 || !IsLong(context, view.NodeCount * StreamFront.EffortOfBlock))
        {
            return false;
        }

        var front = stream.Front(arguments.Trim);
        long effort = context.Server.EffortAtOnce;
        if (front.TryFind(ref effort))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new TrimPass(context, arguments, front), context.Key);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        long effort = EffortOfStep(context);
        if (!context.TryPeek(context.Key, out var record) || !_front.TryFind(ref effort))
        {
            return false; // Where it has gone, the command begins anew.
        }

        var stream = StreamAccess.Open(context, context.Key, record);
        XTrim.End(context, stream, _arguments, stream.Remove(_front));
        return true;
    }
}
