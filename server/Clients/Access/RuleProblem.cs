namespace Strata.Server.Clients.Access;

/// <summary>Why a rule is not taken.</summary>
internal enum RuleProblem
{
    None,
    Syntax,
    UnknownCommand,
    KeysAfterAll,
    ChannelsAfterAll,
    NoSuchPassword,
    WrongHash,
    PasswordTooLong,
    ArgumentOfSubcommand,
}

/// <summary>The words for it.</summary>
internal static class RuleProblemTexts
{
    extension(RuleProblem problem)
    {
        /// <summary>Redis's text.</summary>
        public string Text => problem switch
        {
            RuleProblem.UnknownCommand => "Unknown command or category name in ACL",
            RuleProblem.KeysAfterAll =>
                "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any "
                + "effect. Try 'resetkeys' to start with an empty list of patterns",
            RuleProblem.ChannelsAfterAll =>
                "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any "
                + "effect. Try 'resetchannels' to start with an empty list of channels",
            RuleProblem.NoSuchPassword => "The password you are trying to remove from the user does not exist",
            RuleProblem.WrongHash =>
                "The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters",
            RuleProblem.PasswordTooLong => $"A password has at most {ServerLimits.LongestCredentialBytes} bytes",
            RuleProblem.ArgumentOfSubcommand => "Allowing first-arg of a subcommand is not supported",
            _ => "Syntax error",
        };
    }
}
