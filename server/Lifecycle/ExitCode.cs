namespace Strata.Server.Lifecycle;

/// <summary>How the process ended, as its exit code says it.</summary>
public enum ExitCode
{
    /// <summary>It did what it was asked to and stopped in order.</summary>
    Ok = 0,

    /// <summary>The conf file, a flag or an environment variable is wrong.</summary>
    Configuration = 1,

    /// <summary>Asked for its health, no server answered. Container engines know no other code for that.</summary>
    Unhealthy = Configuration,

    /// <summary>A file that was to be checked cannot be loaded; the code of Redis's tools.</summary>
    Damaged = Configuration,

    /// <summary>It was interrupted a second time, while it ended; Redis's code.</summary>
    Interrupted = Configuration,

    /// <summary>A port is taken, or an address or a socket path cannot be listened on.</summary>
    Listen = 2,

    /// <summary>Threads, memory or file descriptors cannot be had.</summary>
    Resources = 3,

    /// <summary>An error in the server itself.</summary>
    Internal = 4,

    /// <summary>It was stopped, and the data could not be saved.</summary>
    Unsaved = 5,

    /// <summary>The data that was to be loaded is damaged, or cannot be read.</summary>
    Data = 6,

    /// <summary>What was asked for cannot be written to standard output.</summary>
    Output = 7,
}
