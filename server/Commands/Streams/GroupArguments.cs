using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Text;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>What the subcommands of XGROUP have in common: key and group, their second and third arguments, and options
/// behind the fourth. Errors are answered.</summary>
internal static class GroupArguments
{
    /// <summary>Reads ENTRIESREAD and, of CREATE, MKSTREAM.</summary>
    /// <param name="context">The command.</param>
    /// <param name="mayMake">Whether MKSTREAM is one of its options.</param>
    /// <param name="entriesRead">How many entries were read; <see cref="GroupProgress.Unknown"/> where it was not
    /// given.
    /// </param>
    /// <param name="makesStream">Whether MKSTREAM was given.</param>
    public static bool TryOptions(CommandContext context, bool mayMake, out long entriesRead, out bool makesStream)
    {
        entriesRead = GroupProgress.Unknown;
        makesStream = false;
        for (var i = 5; i < context.Count; i++)
        {
            if (mayMake && context.IsWord(i, "mkstream"u8))
            {
                makesStream = true;
            }
            else if (i + 1 < context.Count && context.IsWord(i, "entriesread"u8))
            {
                if (!context.TryInteger(++i, out entriesRead))
                {
                    return false;
                }

                if (entriesRead < GroupProgress.Unknown)
                {
                    context.Reply.Error("ERR value for ENTRIESREAD must be positive or -1"u8);
                    return false;
                }
            }
            else
            {
                SubcommandSyntax.Refuse(context);
                return false;
            }
        }

        return true;
    }

    /// <summary>Looks up the stream, which must be there.</summary>
    public static bool TryStream(CommandContext context, scoped in Key key, out StreamEditor stream)
    {
        var lookup = StreamAccess.Edit(context, key, out stream);
        if (lookup == Lookup.Missing)
        {
            RefuseMissingKey(context);
        }

        return lookup == Lookup.Found;
    }

    /// <summary>Looks up the stream and the group, which must be there.</summary>
    public static bool TryGroup(
        CommandContext context, scoped in Key key, out StreamEditor stream, out StreamGroup group)
    {
        group = default;
        if (!TryStream(context, key, out stream))
        {
            return false;
        }

        if (stream.Read().TryFindGroup(context.Argument(3), out group))
        {
            return true;
        }

        RefuseMissingGroup(context, 3, 2);
        return false;
    }

    /// <summary>Answers that there is no such stream.</summary>
    public static void RefuseMissingKey(CommandContext context)
        => context.Reply.Error(
            "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the "
            + "MKSTREAM option to create an empty stream automatically.");

    /// <summary>Answers that there is no such group of a stream.</summary>
    /// <param name="context">The command.</param>
    /// <param name="group">Index of the group's name.</param>
    /// <param name="key">Index of the key.</param>
    public static void RefuseMissingGroup(CommandContext context, int group, int key)
        => context.Reply.Error(
            $"NOGROUP No such consumer group '{EchoedArgument.Of(context.Argument(group))}' for key name "
            + $"'{EchoedArgument.Of(context.Argument(key))}'");
}
