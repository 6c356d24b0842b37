namespace Strata.Server.Commands.Model;

/// <summary>
/// What is told to the journal, and so to whoever repeats it later, in place of a command as it was sent: where that
/// would not do the same again (it draws at random, counts time from now, or has waited), and where something else says
/// it better. A command that tells nothing here, and has changed a key, is told as it is.
/// Under the leases of the command, behind its changes or among them.
/// </summary>
internal interface ICommandEffects
{
    /// <summary>Whether the command has changed something by now.</summary>
    bool IsChanged { get; }

    /// <summary>Begins an effect, a command of <paramref name="count"/> arguments with the verb, which follow by <see
    /// cref="Argument(ReadOnlySpan{byte})"/>.</summary>
    void Begin(int count, ReadOnlySpan<byte> verb);

    /// <summary>The effect's next argument.</summary>
    void Argument(ReadOnlySpan<byte> argument);

    /// <summary>The effect's next argument, a number.</summary>
    void Argument(long number);

    /// <summary>An effect that was written before, as RESP.</summary>
    void Written(ReadOnlySpan<byte> effect);

    /// <summary>Something that is no key has changed: the command is told, as it is.</summary>
    void MarkChanged();
}
