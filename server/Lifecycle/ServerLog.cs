using Microsoft.Extensions.Logging;

namespace Strata.Server.Lifecycle;

/// <summary>Everything the running server says in its log; nothing of it is per command.</summary>
internal sealed partial class ServerLog
{
    private readonly ILogger _logger;

    public ServerLog(ILogger logger)
    {
        _logger = logger;
    }

    [LoggerMessage(1, LogLevel.Information, "Listening on {Address}")]
    public partial void Listening(string address);

    [LoggerMessage(7, LogLevel.Information, "No longer listening on {Address}")]
    public partial void ListeningEnded(string address);

    [LoggerMessage(8, LogLevel.Warning, "CONFIG SET of bind or port failed: {Reason}")]
    public partial void CannotChangeListening(string reason);

    [LoggerMessage(94, LogLevel.Information, "TLS: the server's certificate expires at {Expiry:u}")]
    public partial void TlsConfigured(DateTimeOffset expiry);

    [LoggerMessage(95, LogLevel.Warning,
        "TLS: the server's certificate expires at {Expiry:u}: put another into 'tls-cert-file' and use CONFIG SET")]
    public partial void CertificateExpires(DateTimeOffset expiry);

    [LoggerMessage(96, LogLevel.Warning, "CONFIG SET of TLS failed: {Reason}")]
    public partial void CannotConfigureTls(string reason);

    [LoggerMessage(97, LogLevel.Debug, "Error accepting a client connection: {Reason} (addr={Address})")]
    public partial void HandshakeFailed(string address, string reason);

    [LoggerMessage(98, LogLevel.Error, "The thread of the TLS handshakes failed by an error of the server")]
    public partial void HandshakesFault(Exception exception);

    [LoggerMessage(2, LogLevel.Information, "Ready to accept connections: {Workers} workers, {Shards} shards")]
    public partial void Ready(int workers, int shards);

    [LoggerMessage(3, LogLevel.Information, "Stopping: no new connections, replies under way are sent")]
    public partial void Stopping();

    [LoggerMessage(4, LogLevel.Information, "Stopped")]
    public partial void Stopped();

    [LoggerMessage(5, LogLevel.Warning,
        "{Clients} clients were closed before they had received all replies: they did not read them in time")]
    public partial void ClosedUnsent(long clients);

    [LoggerMessage(6, LogLevel.Error, "Worker {Worker} did not end in time; its clients are closed with the process")]
    public partial void WorkerStuck(int worker);

    [LoggerMessage(10, LogLevel.Error, "Command '{Command}' failed by an error of the server")]
    public partial void CommandFailed(string command, Exception exception);

    [LoggerMessage(11, LogLevel.Error, "Worker {Worker} failed by an error of the server")]
    public partial void WorkerFault(int worker, Exception exception);

    [LoggerMessage(50, LogLevel.Information, "{Changes} changes in {Seconds} seconds: the data is being saved")]
    public partial void SavePointReached(long changes, long seconds);

    [LoggerMessage(51, LogLevel.Information, "Saving the data")]
    public partial void SnapshotBegun();

    [LoggerMessage(52, LogLevel.Information, "The data is saved: {Keys} keys, {Bytes} bytes, in {Milliseconds} ms")]
    public partial void SnapshotSaved(long keys, long bytes, long milliseconds);

    [LoggerMessage(53, LogLevel.Error,
        "The data could not be saved: {Reason}. What was saved before is as it was. Free some space in 'dir', or look "
        + "into the disk's errors, and use BGSAVE")]
    public partial void SnapshotFailed(string reason);

    [LoggerMessage(54, LogLevel.Information, "The data is not being saved any more: {Reason}")]
    public partial void SnapshotCancelled(string reason);

    [LoggerMessage(55, LogLevel.Information,
        "Saving begins anew, with what is left: keys were deleted by FLUSHALL or FLUSHDB before they were saved")]
    public partial void SnapshotBegunAnew();

    [LoggerMessage(56, LogLevel.Information, "Loading {File}, {Bytes} bytes")]
    public partial void Loading(string file, long bytes);

    [LoggerMessage(57, LogLevel.Information, "Loading: {Percent} % done, {Keys} keys")]
    public partial void LoadingGoesOn(long percent, long keys);

    [LoggerMessage(58, LogLevel.Information,
        "Loaded {Keys} keys in {Milliseconds} ms; {Expired} others had expired")]
    public partial void Loaded(long keys, long milliseconds, long expired);

    [LoggerMessage(67, LogLevel.Error, "{File} cannot be loaded again: {Reason}")]
    public partial void ReloadFailed(string file, string reason);

    [LoggerMessage(50, LogLevel.Error,
        "The journal cannot be written: {Reason}. Changes are refused until it can; it is tried again and again")]
    public partial void JournalCannotBeWritten(string reason);

    [LoggerMessage(51, LogLevel.Warning, "The journal is written again, and changes are accepted")]
    public partial void JournalIsWrittenAgain();

    [LoggerMessage(52, LogLevel.Warning,
        "{Count} commands of the journal answered an error, as they may have the first time; the first: {First}")]
    public partial void JournalCommandsFailed(long count, string first);

    [LoggerMessage(53, LogLevel.Warning, "{File} ended in the midst of a change: its last {Bytes} bytes were cut off")]
    public partial void JournalWasCut(string file, long bytes);

    [LoggerMessage(54, LogLevel.Information, "The journal was loaded: {Bytes} bytes in {Seconds:0.000} s")]
    public partial void JournalLoaded(long bytes, double seconds);

    [LoggerMessage(64, LogLevel.Information,
        "The append-only file is rewritten by itself: it has grown by {Percent} %")]
    public partial void JournalHasGrown(long percent);

    [LoggerMessage(93, LogLevel.Warning,
        "What must stay in memory (the index, above all) takes more than 'maxmemory': {UsedBytes} bytes are in use, "
        + "and the limit is {LimitBytes}. The data is loaded all the same; raise 'maxmemory'")]
    public partial void LoadingBeyondLimit(long usedBytes, long limitBytes);

    [LoggerMessage(91, LogLevel.Information,
        "The append-only file is rewritten by itself: {Bytes} bytes of the tier's files are kept for its base alone")]
    public partial void JournalHoldsSegments(long bytes);

    [LoggerMessage(92, LogLevel.Information,
        "{Path} names {Segments} files of the tier, which are taken up; {Removed} that it does not name were removed")]
    public partial void TierKept(string path, int segments, int removed);

    [LoggerMessage(65, LogLevel.Error,
        "appendonly cannot be switched on: {Reason}. It is tried again, until CONFIG SET appendonly no")]
    public partial void JournalCannotBegin(string reason);

    [LoggerMessage(99, LogLevel.Error,
        "CONFIG SET appendonly yes is refused: {Reason}. Set it again when that is mended")]
    public partial void JournalRefused(string reason);

    [LoggerMessage(66, LogLevel.Warning,
        "The append-only file ends before its base was written: what was there before it was begun is in force")]
    public partial void JournalWithoutBase();

    [LoggerMessage(60, LogLevel.Information, "Rewriting the append-only file in the background")]
    public partial void JournalRewriteBegun();

    [LoggerMessage(61, LogLevel.Information,
        "The append-only file is rewritten: {Keys} keys in {Bytes} bytes, in {Milliseconds} ms")]
    public partial void JournalRewritten(long keys, long bytes, long milliseconds);

    [LoggerMessage(62, LogLevel.Warning, "The rewriting of the append-only file was given up: {Reason}")]
    public partial void JournalRewriteCancelled(string reason);

    [LoggerMessage(63, LogLevel.Error,
        "The append-only file could not be rewritten: {Reason}. The files there are stay in force")]
    public partial void JournalRewriteFailed(string reason);

    [LoggerMessage(59, LogLevel.Information, "Loading the journal: {Percent} % done")]
    public partial void JournalLoadingGoesOn(long percent);

    [LoggerMessage(55, LogLevel.Error,
        "The end of the journal was not written: {Reason}. What was changed last is lost")]
    public partial void JournalEndIsLost(string reason);

    [LoggerMessage(13, LogLevel.Information,
        "Data that does not fit into memory goes to {Folder}, by {Backend}; {Removed} files left behind were removed")]
    public partial void TierReady(string folder, string backend, int removed);

    [LoggerMessage(14, LogLevel.Warning,
        "storage-tier is on, but maxmemory does not limit: all data stays in memory until 'maxmemory' is set")]
    public partial void TierWithoutLimit();

    [LoggerMessage(16, LogLevel.Information,
        "Data on disk goes through the kernel's page cache, which takes memory besides maxmemory")]
    public partial void TierThroughPageCache();

    [LoggerMessage(17, LogLevel.Information,
        "Worker {Number} reads from the disk without registered buffers, which takes more CPU: the kernel refused them "
        + "(errno {Errno}); if it is for locked memory, raise the limit (ulimit -l, --ulimit memlock)")]
    public partial void BuffersNotRegistered(int number, int errno);

    [LoggerMessage(15, LogLevel.Warning, "Data on disk: {Message}")]
    public partial void DeviceFault(string message);

    [LoggerMessage(20, LogLevel.Warning,
        "Client {Id} ({Address}) was closed: its unread input is over client-query-buffer-limit")]
    public partial void QueryBufferLimitReached(long id, string address);

    [LoggerMessage(21, LogLevel.Warning,
        "Client {Id} ({Address}) was closed: {Bytes} bytes of unread replies are over client-output-buffer-limit")]
    public partial void OutputBufferLimitReached(long id, string address, long bytes);

    [LoggerMessage(28, LogLevel.Warning,
        "Client {Id} ({Address}) was closed: memory is short, and it has not read {Bytes} bytes that were sent to it")]
    public partial void NoMemoryForUnread(long id, string address, long bytes);

    [LoggerMessage(29, LogLevel.Warning,
        "Client {Id} ({Address}) was closed: others need memory, and it has stopped to read {Bytes} bytes that wait "
            + "for it. Have it read its replies, or not ask for so much at a time; CLIENT NO-EVICT ON keeps it")]
    public partial void StalledClientClosed(long id, string address, long bytes);

    [LoggerMessage(23, LogLevel.Warning,
        "Client {Id} ({Address}) was closed: it sent an HTTP request, perhaps a web page's attempt to send commands")]
    public partial void HttpRequest(long id, string address);

    [LoggerMessage(23, LogLevel.Warning,
        "Client {Id} ({Address}) was closed: there is no memory for its input or replies; lower maxmemory")]
    public partial void NoMemoryForClient(long id, string address);

    [LoggerMessage(22, LogLevel.Warning,
        "A client was not accepted: no file descriptor is left (errno {Errno}); raise ulimit -n, lower maxclients")]
    public partial void NoDescriptorForClient(int errno);

    [LoggerMessage(27, LogLevel.Warning,
        "A message of {Bytes} bytes reaches no subscriber of a worker: there is no memory for it; lower maxmemory")]
    public partial void NoMemoryForMessage(long bytes);

    [LoggerMessage(40, LogLevel.Warning,
        "Slow script detected: {Script} runs for more than {Milliseconds} ms. {Command} KILL ends it, if it has "
        + "changed nothing")]
    public partial void ScriptIsSlow(string script, long milliseconds, string command);

    [LoggerMessage(43, LogLevel.Warning,
        "The server stops when the slow script on worker {Worker} has ended. SHUTDOWN NOSAVE, or a second SIGINT, ends "
        + "both at once")]
    public partial void AwaitsScript(int worker);

    [LoggerMessage(42, LogLevel.Warning,
        "The server ends in the midst of a script on worker {Worker}: what it has done by now goes with all the rest")]
    public partial void ScriptIsAbandoned(int worker);

    [LoggerMessage(41, LogLevel.Debug, "A script says: {Text}")]
    public partial void ScriptSaysVerbosely(string text);

    [LoggerMessage(41, LogLevel.Information, "A script says: {Text}")]
    public partial void ScriptSays(string text);

    [LoggerMessage(41, LogLevel.Warning, "A script says: {Text}")]
    public partial void ScriptWarns(string text);

    [LoggerMessage(91, LogLevel.Information, "The user '{Name}' is disabled: there is no 'on' among its rules")]
    public partial void UserIsDisabled(string name);

    [LoggerMessage(92, LogLevel.Warning, "The users cannot be saved to {File}: {Reason}")]
    public partial void CannotSaveUsers(string file, string reason);

    [LoggerMessage(90, LogLevel.Warning, "DEBUG LOG: {Message}")]
    public partial void DebugMessage(string message);
}
