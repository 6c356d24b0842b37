using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Shared;

/// <summary>Redis's error for a subcommand with arguments that its arity allows and its syntax does not.</summary>
internal static class SubcommandSyntax
{
    private const int PreviewBytes = 128;

    public static void Refuse(CommandContext context)
    {
        var verb = EchoedArgument.InUpperCase(context.Argument(0));
        var subcommand = EchoedArgument.Of(context.Argument(1), PreviewBytes);
        context.Reply.Error(
            $"ERR unknown subcommand or wrong number of arguments for '{subcommand}'. Try {verb} HELP.");
    }
}
