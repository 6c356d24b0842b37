namespace Strata.Server.Commands.Model;

/// <summary>Memory for the reply of a command, where it was broken off for want of it.</summary>
internal interface IReplyRoom
{
    /// <summary>Whether no more can be made: the command is refused if its reply is broken off again.</summary>
    bool IsLast { get; }

    /// <summary>Asks for memory before the command is tried again: for a reply of so many bytes at least.</summary>
    void Want(long bytes);
}
