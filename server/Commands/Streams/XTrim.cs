using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XTRIM key &lt;MAXLEN | MINID&gt; [= | ~] threshold [LIMIT count]</summary>
internal static class XTrim
{
    public static readonly CommandRow Row = new("xtrim", -4,
        CommandFlags.Write,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Removes the oldest entries of a stream, up to a length or an id.",
        Complexity = "O(N) for N entries removed",
        Tips = ["nondeterministic_output"],
        Syntax = "key <MAXLEN|MINID> [=|~] threshold [LIMIT count]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !TrimArguments.TryParse(context, isAdd: false, out var arguments))
        {
            return;
        }

        var lookup = StreamAccess.Edit(context, context.Key, out var stream);
        if (lookup != Lookup.WrongType && !(lookup == Lookup.Found && TrimPass.Begins(context, stream, arguments)))
        {
            End(context, stream, arguments, lookup == Lookup.Found ? arguments.Apply(ref stream) : 0);
        }
    }

    /// <summary>Tells that a stream was trimmed, and answers.</summary>
    /// <param name="context">The command.</param>
    /// <param name="stream">The stream by now.</param>
    /// <param name="arguments">How it was trimmed.</param>
    /// <param name="trimmed">How many entries have gone.</param>
    public static void End(
        CommandContext context, scoped in StreamEditor stream, in TrimArguments arguments, long trimmed)
    {
        if (trimmed > 0)
        {
            stream.End(context.Change(KeyEvent.XTrim));
            if (context.Effects is { } effects && arguments.IsApproximate)
            {
                effects.Begin(2 + arguments.EffectCount, "XTRIM"u8);
                effects.Argument(context.Key.Span);
                arguments.Tell(effects, stream.Read());
            }
        }

        context.Reply.Integer(trimmed);
    }
}
