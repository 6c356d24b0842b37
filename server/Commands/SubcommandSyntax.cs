namespace Strata.Server.Commands;

/// <summary>Redis's error for a subcommand with arguments that its arity allows and its syntax does not.</summary>
internal static class SubcommandSyntax
{
    public static void Refuse(CommandContext context)
    {
        var verb = Quoted.Text(context.Argument(0)).ToUpperInvariant();
        var subcommand = Quoted.Text(context.Argument(1));
        context.Reply.Error(
            $"ERR unknown subcommand or wrong number of arguments for '{subcommand}'. Try {verb} HELP.");
    }
}
