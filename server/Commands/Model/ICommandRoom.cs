namespace Strata.Server.Commands.Model;

/// <summary>Memory for the reply of a command, or for a value that it makes, where it was broken off for want of it.
/// </summary>
internal interface ICommandRoom
{
    /// <summary>Whether no more can be made: the command is refused if it is broken off again.</summary>
    bool IsLast { get; }

    /// <summary>Asks for memory before the command is tried again: for so many bytes at least.</summary>
    void Want(long bytes);
}
