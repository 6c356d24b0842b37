using Strata.Server.Commands.Model;

namespace Strata.Server.Clients;

/// <summary>CLIENT PAUSE in force: which commands wait, and until when.</summary>
/// <param name="OnlyWrites">Whether only commands that change something wait.</param>
/// <param name="UntilMs">The end, milliseconds since 1970.</param>
internal sealed record CommandPause(bool OnlyWrites, long UntilMs)
{
    /// <summary>The pause that results when this one is asked for while <paramref name="current"/> holds: the stricter
    /// mode until the later end.</summary>
    public CommandPause Over(CommandPause? current, long nowMs)
        => current == null || current.UntilMs <= nowMs
            ? this
            : new CommandPause(OnlyWrites && current.OnlyWrites, Math.Max(UntilMs, current.UntilMs));

    /// <summary>Whether a command waits.</summary>
    public bool Holds(CommandFlags flags, long nowMs)
        => nowMs < UntilMs && (!OnlyWrites || (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0);
}
