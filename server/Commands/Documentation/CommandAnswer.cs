namespace Strata.Server.Commands.Documentation;

/// <summary>Whether this server has a command of Redis.</summary>
public enum CommandAnswer
{
    /// <summary>As Redis has it.</summary>
    Yes,

    /// <summary>It has, but not all of it is as in Redis.</summary>
    Differs,

    /// <summary>It does not.</summary>
    No,
}
