using System.Text;

namespace Strata.Server.Commands;

/// <summary>Redis's error for a subcommand with arguments that its arity allows and its syntax does not.</summary>
internal static class SubcommandSyntax
{
    public static void Refuse(CommandContext context)
    {
        var verb = Encoding.Latin1.GetString(context.Argument(0)).ToUpperInvariant();
        var subcommand = Encoding.Latin1.GetString(context.Argument(1));
        context.Reply.Error(
            $"ERR unknown subcommand or wrong number of arguments for '{subcommand}'. Try {verb} HELP.");
    }
}
