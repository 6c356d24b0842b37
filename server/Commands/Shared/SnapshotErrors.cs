using Strata.Server.Persistence;

namespace Strata.Server.Commands.Shared;

/// <summary>What commands are answered that may change nothing because of how the data is saved.</summary>
internal static class SnapshotErrors
{
    /// <summary>The error for what the gate says.</summary>
    public static ReadOnlySpan<byte> Of(WriteGate gate) => gate == WriteGate.Ended
        ? "ERR The server is shutting down"u8
        : "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands "u8
            + "that may modify the data set are disabled, because this instance is configured to report errors "u8
            + "during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the "u8
            + "Redis logs for details about the RDB error."u8;

    /// <summary>The same of a command that a script calls.</summary>
    public static ReadOnlySpan<byte> OfScript(WriteGate gate) => gate == WriteGate.Ended
        ? Of(gate)
        : "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Writable "u8
            + "scripts are blocked. Use 'no-writes' flag for read only scripts."u8;
}
