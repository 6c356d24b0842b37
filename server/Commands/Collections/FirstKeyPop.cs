using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Collections;

/// <summary>What LMPOP and ZMPOP do: take from the first of several keys that is there.</summary>
internal static class FirstKeyPop
{
    /// <summary>Takes from the first key that has something; answers null when none has.</summary>
    public static void Execute(CommandContext context, in PopArguments arguments, PopAttempt<PopArguments> pop)
    {
        for (var i = 0; i < arguments.KeyCount; i++)
        {
            if (pop(context, context.KeyAt(arguments.FirstKey + i), arguments) != Lookup.Missing)
            {
                return;
            }
        }

        context.Reply.NullArray();
    }
}
