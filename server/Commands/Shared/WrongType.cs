using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Shared;

/// <summary>The answer to a command on a key that holds another type of value.</summary>
internal static class WrongType
{
    /// <summary>Answers Redis's WRONGTYPE if that is what a look-up found, and gives the look-up back.</summary>
    public static Lookup Answered(CommandContext context, Lookup lookup)
    {
        if (lookup == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
        }

        return lookup;
    }
}
