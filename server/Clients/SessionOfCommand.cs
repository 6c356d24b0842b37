using Strata.Server.Commands.Model;

namespace Strata.Server.Clients;

/// <summary>What a handler sees of the session its command came from. The model of commands stands below the sessions,
/// and knows of a client only what all commands need.</summary>
internal static class SessionOfCommand
{
    extension(CommandContext context)
    {
        /// <summary>The session that sent the command.</summary>
        public Session Session => (Session)context.Client;

        /// <summary>Whether the command may wait for something that is not there yet: not where others stand behind it
        /// that are executed with it, nor in the journal, where what had been waited for has an entry of its own.
        /// </summary>
        public bool MayBlock => !context.IsInTransaction && !context.Session.IsLoader;

        /// <summary>The time that is kept in what the command changes, milliseconds since 1970:
        /// <see cref="CommandContext.NowMs"/> but in the journal, for which nothing expires.</summary>
        public long ClockMs
            => context.Session.IsLoader ? context.Session.Worker.Worker.NowMs : context.NowMs;

        /// <summary>What the server offers beside the data.</summary>
        public ServerServices Services => context.Session.Worker.Services;
    }
}
