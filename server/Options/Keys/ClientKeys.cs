using Strata.Server.Options.Syntax;
using Strata.Storage;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about what a client may do and how much it may ask for.</summary>
public static class ClientKeys
{
    public static readonly ConfigurationKey Requirepass = new(
        "requirepass",
        new TextSyntax("password", ServerLimits.LongestCredentialBytes),
        "\"\"",
        "The password that clients must give with AUTH before any other command; empty asks for none.")
    {
        IsSensitive = true,
    };

    public static readonly ConfigurationKey MaxClients = new(
        "maxclients",
        new IntegerSyntax(1, uint.MaxValue),
        "10000",
        "How many clients may be connected at once; more are refused. Lowered at start, with a warning, "
        + "where the limit of open files (ulimit -n) does not reach.");

    public static readonly ConfigurationKey ClientOutputBufferLimit = new(
        "client-output-buffer-limit",
        new OutputBufferLimitSyntax(),
        "normal 0 0 0 replica 256mb 64mb 60 pubsub 32mb 8mb 60",
        "When a client that does not read its replies is closed, by class (normal, replica, pubsub): at once at the "
        + "hard size of unread output, or when the soft size lasts for so many seconds. 0 does not limit.");

    public static readonly ConfigurationKey ClientQueryBufferLimit = new(
        "client-query-buffer-limit",
        new MemorySyntax(1 << 20),
        "1gb",
        "How much unfinished input a client may send; one that sends more is closed.");

    public static readonly ConfigurationKey ProtoMaxBulkLen = new(
        "proto-max-bulk-len",
        new MemorySyntax(1 << 20, Limits.MaxValueBytes),
        "512mb",
        "The longest single argument, and the longest string value; less than 1gb.");

    public static readonly ConfigurationKey TrackingTableMaxKeys = new(
        "tracking-table-max-keys",
        new IntegerSyntax(0, long.MaxValue),
        "1000000",
        "How many keys are remembered that clients with CLIENT TRACKING have read; a thread's clients have an equal "
        + "part of them. Of more, clients are told as if they had changed. 0 does not limit.");

    public static readonly ConfigurationKey EnableDebugCommand = new(
        "enable-debug-command",
        new EnumerationSyntax("no", "yes", "local"),
        "no",
        "Who may use DEBUG: nobody, everybody, or clients on this machine.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey EnableProtectedConfigs = new(
        "enable-protected-configs",
        new EnumerationSyntax("no", "yes", "local"),
        "no",
        "Who may change 'dir' by CONFIG SET: nobody, everybody, or clients on this machine.")
    {
        Change = ChangeRule.AtStart,
    };

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Clients",
        [
            Requirepass, MaxClients, ClientOutputBufferLimit,
            ClientQueryBufferLimit, ProtoMaxBulkLen, TrackingTableMaxKeys, EnableDebugCommand, EnableProtectedConfigs,
        ]);
}
