
namespace Strata.Server.Execution;

/// <summary>Whether there is memory for a command that needs some. <see cref="None"/> and what comes behind it are
/// reasons to refuse it.</summary>
internal enum Room : byte
{
    Made,

    /// <summary>Pages are being written to the device, whose memory will then be free, or effects to the journal.
    /// </summary>
    OnItsWay,

    /// <summary>There is none to be had.</summary>
    None,

    /// <summary>There is none because what has to leave memory cannot be written to the device.</summary>
    Unwritable,

    /// <summary>There may be, but what the command changes cannot be written to the journal.</summary>
    Unjournaled,
}
