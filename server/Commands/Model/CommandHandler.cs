namespace Strata.Server.Commands.Model;

/// <summary>Carries out one command: parses the arguments, applies them, writes one reply.</summary>
public delegate void CommandHandler(CommandContext context);
