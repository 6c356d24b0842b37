using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Tiering;

namespace Strata.Server;

/// <summary>
/// Every fixed bound that only the server knows, in one place: those of the storage stand in <see cref="Limits"/>,
/// those of who looks on in <see cref="ObservationLimits"/> and <see cref="TrafficLimits"/>, configurable ones in the
/// options. <see cref="Check"/> proves their relations at start.
/// </summary>
public static class ServerLimits
{
    /// <summary>Bytes received from a socket in one call: the worker's shared receive buffer.</summary>
    public const int ReceiveBufferBytes = 64 << 10;

    /// <summary>How long /healthz waits for all workers to make a turn.</summary>
    public static readonly TimeSpan HealthTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Days before the server's certificate expires from which on the log warns of it.</summary>
    public const int CertificateWarningDays = 30;

    /// <summary>How far the thread of the handshakes (TLS) stands behind the workers where processors are few, as
    /// nice(1) counts: while both want one of them, it has about a quarter of it.</summary>
    public const int HandshakesNice = 5;

    /// <summary>Milliseconds that a handshake may take.</summary>
    public const int HandshakeMs = 10_000;

    /// <summary>Handshakes that may be under way; one more, and the oldest is given up.</summary>
    public const int MaxHandshakes = 1024;

    /// <summary>Memory of OpenSSL that a handshake under way takes, about; measured.</summary>
    public const int BytesPerHandshake = 48 << 10;

    /// <summary>Memory of OpenSSL that a client takes who speaks TLS and has shown a certificate, about, beside what is
    /// unsent; measured. Without one it is a third less.</summary>
    public const int BytesPerTlsClient = 22 << 10;

    /// <summary>Memory that OpenSSL takes for a record of which the end has not come; measured.</summary>
    public const int BytesPerTlsRecord = 17 << 10;

    /// <summary>Memory that a worker takes for what its clients by TLS send and are sent, once there is one; as does
    /// the thread of the handshakes.</summary>
    public const int BytesPerTlsEngine = (1 << 20) + (128 << 10);

    /// <summary>Bytes sent to a client before others have their turn: one that reads as fast as it is sent to takes any
    /// number.</summary>
    public const int MaxSentBytes = 1 << 20;

    /// <summary>Bytes of a value that is sent from where it lies.</summary>
    public const int LeastLentBytes = 4 << 10;

    /// <summary>Bytes received in one call into a connection's own buffer, while a large command arrives.</summary>
    public const int MaxReceiveBytes = 1 << 20;

    /// <summary>Bytes received in one call while more memory is held than may be for long, and when it is at its end:
    /// of each client so much may have to be kept.</summary>
    public const int ShortReceiveBytes = 4 << 10;

    /// <inheritdoc cref="ShortReceiveBytes"/>
    public const int LeastReceiveBytes = 1 << 10;

    /// <summary>Reply bytes after which a worker sends before it goes on with the same connection's input.</summary>
    public const int ReplyFlushBytes = 64 << 10;

    /// <summary>Keys that MIGRATE sends before it waits for the other server.</summary>
    public const int MigratedAtOnce = 64;

    /// <summary>How often MIGRATE sends keys again which have changed meanwhile.</summary>
    public const int MigrationTries = 16;

    /// <summary>Bytes that a key which is to be migrated takes beside its own.</summary>
    public const int MigratedKeyBytes = 64;

    /// <summary>Bytes of published messages after which a worker sends them before it delivers more.</summary>
    public const int PushFlushBytes = 256 << 10;

    /// <summary>The longest message that is copied to each worker's mailbox, bytes: of a longer one, all workers share
    /// one copy.</summary>
    public const int LongestMessageInMailbox = 16 << 10;

    /// <summary>Bytes of published messages that may wait for a worker; above, clients wait with their next
    /// command until they are delivered.</summary>
    public const int MailboxHighWaterBytes = 1 << 20;

    /// <summary>Bytes of effects that the journal's thread gathers before it writes them; what is larger it writes from
    /// where it lies.</summary>
    public const int JournalBufferBytes = 256 << 10;

    /// <summary>Bytes of a batch that go to the journal's file in one piece, with the lines around them; those of a
    /// larger one go by themselves.</summary>
    public const int JournalGatheredBytes = 64 << 10;

    /// <summary>Bytes by which the journal's file is made longer at a time, ahead of what is written, with
    /// <c>appendfsync always</c>.</summary>
    public const int JournalFillerBytes = 1 << 20;

    /// <summary>Bytes of effects, about, behind which a batch of the journal ends.</summary>
    public const int JournalBatchBytes = 1 << 20;

    /// <summary>Bytes of effects that may wait to be written to the journal; above, commands that change something
    /// wait.</summary>
    public const long JournalQueueBytes = 64 << 20;

    /// <summary>The part of the memory limit that may wait there, but for the fewest bytes that always may.</summary>
    public const int JournalQueueShare = 16;

    /// <inheritdoc cref="JournalQueueShare"/>
    public const long JournalQueueLeastBytes = 2 << 20;

    /// <summary>How long the journal's thread sleeps between two looks for effects, while there are some, and while
    /// there are none.</summary>
    public const int JournalBusyWaitMs = 2;

    /// <inheritdoc cref="JournalBusyWaitMs"/>
    public const int JournalIdleWaitMs = 20;

    /// <summary>Milliseconds until the journal's thread tries again to write what could not be written.</summary>
    public const int JournalRetryMs = 100;

    /// <summary>Milliseconds until the journal is rewritten again that could not be; twice as many after each failure
    /// more.</summary>
    public const int RewriteRetryMs = 1000;

    /// <summary>The most that these become.</summary>
    public const int MaxRewriteRetryMs = 60_000;

    /// <summary>How long what was written may wait for the disk with <c>appendfsync everysec</c>.</summary>
    public static readonly TimeSpan JournalSyncPeriod = TimeSpan.FromSeconds(1);

    /// <summary>With <c>appendfsync always</c>: places of a shard, a power of two, in the table of what was changed and
    /// may not be on the disk yet.</summary>
    public const int UnsyncedPlacesPerShard = 1024;

    /// <summary>Keys of a batch that are noted there one by one; of more, all keys are.</summary>
    public const int TouchedKeysPerBatch = 64;

    /// <summary>Bytes of memory that a shard's effects take at a time on their way to the journal; more for a larger
    /// argument.</summary>
    public const int EffectChunkBytes = 16 << 10;

    /// <summary>Such pieces that are kept between effects, while there are some.</summary>
    public const int FreeEffectChunks = 64;

    /// <summary>Bytes of commands after which a batch of the journal is ended, with the next unit of commands that
    /// belong together: of what is behind a torn one, more is another server's.</summary>
    public const int MaxJournalBatchBytes = 4 << 20;

    /// <summary>Bytes of batches that are whole, behind one that is not, for which no line says that they were on the
    /// disk: a loss of power leaves no more. Where the journal is never synced nothing else tells it from damage.
    /// </summary>
    public const long MaxUnprovenJournalBytes = 256L << 20;

    /// <summary>Bytes of the journal's files that are held in memory while they are read.</summary>
    public const int JournalReadBytes = 1 << 20;

    /// <summary>Unsent reply bytes of one connection above which its input is no longer read.</summary>
    public const int OutputHighWaterBytes = 1 << 20;

    /// <summary>Pages of the smallest size that each shard must find room for under maxmemory: the newest, which are
    /// open in the log's two queues, and one to give up.</summary>
    public const int LeastPagesPerShard = 3;

    /// <summary>Reply buffer kept by a worker between turns; a larger one is given back after use.</summary>
    public const int ReplyBufferKeepBytes = 1 << 20;

    /// <summary>Milliseconds between two looks at a connection's idle time and unsent replies.</summary>
    public const int ConnectionCheckMs = 1000;

    /// <summary>Milliseconds for which a client takes nothing of what was sent to it until it may be closed, where
    /// others need the memory.</summary>
    public const int StallMs = 1000;

    /// <summary>Milliseconds between two looks at a connection whose last replies must arrive before it is closed.
    /// </summary>
    public const int DrainTickMs = 10;

    /// <summary>Milliseconds that a command waits for memory which no key can make room in, but others may leave, as
    /// they read what they were sent; then it is refused.</summary>
    public const int RoomPatienceMs = 500;

    /// <summary>Times that a command is tried again with room for as much as it wants, where twice that is more than
    /// there can be; then it is refused.</summary>
    public const int LastRoomTries = 3;

    /// <summary>Elements of a collection that DEBUG LISTPACK writes to the log.</summary>
    public const int MaxLoggedElements = 1000;

    /// <summary>Bytes for which room is made in one step, before a large reply: a step may take a small part of what a
    /// turn may.</summary>
    public const int RoomStepBytes = 256 << 10;

    /// <summary>How long a worker may take to end its turn when the server stops.</summary>
    public static readonly TimeSpan WorkerEndTimeout = TimeSpan.FromSeconds(2);

    /// <summary>How long a slow script is executed between two looks at what others want.</summary>
    public static readonly TimeSpan TurnWithinScriptPeriod = TimeSpan.FromMilliseconds(1);

    /// <summary>Milliseconds between two looks whether the scripts have ended that a server waits for that stops.
    /// </summary>
    public const int ScriptEndCheckMs = 10;

    /// <summary>How long a server may take to answer when its health is checked.</summary>
    public const int HealthCheckMs = 2000;

    /// <summary>Largest inline command, bytes (Redis's PROTO_INLINE_MAX_SIZE).</summary>
    public const int MaxInlineBytes = 64 << 10;

    /// <summary>Largest number of arguments of one command (Redis's multibulk limit is INT_MAX; this many need
    /// 16 GiB of argument slots alone).</summary>
    public const int MaxArguments = int.MaxValue;

    /// <summary>Before authentication: largest number of arguments and largest argument (Redis 7).</summary>
    public const int MaxUnauthenticatedArguments = 10;

    /// <inheritdoc cref="MaxUnauthenticatedArguments"/>
    public const int MaxUnauthenticatedBulkBytes = 16 << 10;

    /// <summary>Longest name of a user and longest password: who is not authenticated can send no longer one.</summary>
    public const int LongestCredentialBytes = MaxUnauthenticatedBulkBytes;

    /// <summary>Longest name that a client gives itself, and longest prefix of keys that it tracks.</summary>
    public const int LongestNameBytes = 16 << 10;

    /// <summary>Longest rule of ACL SETUSER.</summary>
    public const int LongestAccessRuleBytes = 1 << 20;

    /// <summary>The part of the memory limit that ACL LOG may take, if it has more than <see
    /// cref="FreeAccessLogEntries"/>.</summary>
    public const int AccessLogShare = 16;

    /// <summary>Entries that ACL LOG has in any case, where acllog-max-len allows.</summary>
    public const int FreeAccessLogEntries = 128;

    /// <summary>Commands of one connection that are parsed ahead and executed as one run.</summary>
    public const int MaxRunCommands = 64;

    /// <summary>Bytes of a reply for which memory need not be asked.</summary>
    public const int FreeReplyBytes = 2 * ReplyFlushBytes;

    /// <summary>Bytes of a reply that may wait for those of others which came with it: more is worth a call of the
    /// kernel.</summary>
    public const int BatchedReplyBytes = 2 << 10;

    /// <summary>Replies that wait so at a time: the first waits while others are executed.</summary>
    public const int BatchedReplies = 64;

    /// <summary>Bytes of them all.</summary>
    public const int BatchedBytes = 16 << 10;

    /// <summary>Bytes of replies that wait for earlier ones of their run, above which no more commands of it are
    /// executed before these have been answered.</summary>
    public const int MaxGatheredBytes = 1 << 20;

    /// <summary>Bytes that are received from a client though many others wait for the device at the end of memory.
    /// </summary>
    public const int LittleInputBytes = 512;

    /// <summary>Runs a worker keeps for use again, when those that waited are done.</summary>
    public const int MaxFreeRuns = 64;

    /// <summary>Groups of commands left to a lease's holder that a worker keeps for use again; each has a buffer for
    /// replies.</summary>
    public const int MaxFreeGroups = 64;

    /// <summary>Commands that waited which a worker keeps for use again, without their bytes.</summary>
    public const int MaxFreeSuspendedCommands = 64;

    /// <summary>Buffers for the arguments of commands that come in pieces that a worker keeps for use again.</summary>
    public const int MaxFreeArgumentBuffers = 64;

    /// <summary>Managed memory that a client takes with its connection, about.</summary>
    public const int BytesPerClient = 1400;

    /// <summary>Bytes that a client may have the server hold, with what it subscribes to, watches, waits for, does not
    /// read and its names, also while memory is short.</summary>
    public const int FreelyHeldBytes = 4 << 10;

    /// <summary>The same where memory is at its end: what suffices to delete a key, since there may be as many clients
    /// as maxclients says.</summary>
    public const int FreelyHeldBytesAtEnd = 256;

    /// <summary>The part of the memory limit that the slow log may take, if it has more than <see
    /// cref="FreeSlowLogEntries"/>.</summary>
    public const int SlowLogShare = 8;

    /// <summary>Entries of the slow log that a worker keeps whatever they take.</summary>
    public const int FreeSlowLogEntries = 1024;

    /// <summary>Scripts brought by EVAL that are kept, as by Redis 7.4: those not used for longest are forgotten.
    /// </summary>
    public const int MaxEvalScripts = 500;

    /// <summary>Scripts that a worker keeps compiled; when there are more all are compiled anew as they are needed.
    /// </summary>
    public const int MaxCompiledScripts = 4096;

    /// <summary>Bytes of bodies that a worker keeps of scripts it has seen, with those that the server has forgotten;
    /// when there are more it forgets all of them.</summary>
    public const int MaxKnownScriptBytes = 4 << 20;

    /// <summary>The longest script whose code is looked at to learn which keys it uses; longer ones are taken to use
    /// any.</summary>
    public const int MaxAnalyzedScriptBytes = 64 << 10;

    /// <summary>What is kept of a text that a script has the server log, bytes: as many as Redis has in a line of its
    /// own.</summary>
    public const int MaxScriptLogBytes = 1024;

    /// <summary>What is told of an error of a script that does not compile, or of a library that does not load, bytes.
    /// </summary>
    public const int MaxScriptErrorBytes = 64 << 10;

    /// <summary>The longest first line of a script, or a library, that says what it is, bytes.</summary>
    public const int MaxShebangBytes = 64 << 10;

    /// <summary>Bytes of all libraries of functions together: as many as one argument may have, so that what FUNCTION
    /// DUMP answers can be sent to FUNCTION RESTORE.</summary>
    public const long MaxLibraryBytes = 512L << 20;

    /// <summary>The longest string that is packed in an RDB file or payload, bytes: it is packed in one go. Longer ones
    /// are written as they are.</summary>
    public const int MaxPackedStringBytes = 256 << 10;

    /// <summary>The largest collection that is written to RDB as one string (a listpack or intset), bytes as it lies in
    /// memory. Others are written element by element, in steps.</summary>
    public const int MaxBlobBytes = 64 << 10;

    /// <summary>The largest value that DUMP writes in one go, bytes as it lies in memory.</summary>
    public const int MaxDumpedAtOnceBytes = 128 << 10;

    /// <summary>The longest payload of RESTORE that is read in one go, bytes.</summary>
    public const int MaxRestoredAtOnceBytes = 32 << 10;

    /// <summary>How much of a larger value is written or read in one turn: elements, of which each 128 bytes count for
    /// another.</summary>
    public const int ValueStepEffort = 1024;

    /// <summary>How much a command may do with the elements of its keys in one go, likewise: some tenths of a
    /// millisecond. More is done in steps.</summary>
    public const int EffortAtOnce = 4096;

    /// <summary>How much of its checksum is computed in one turn, bytes.</summary>
    public const int RestoreSumBytes = 512 << 10;

    /// <summary>How long a library may take to load, milliseconds, as by Redis: it only registers its functions.
    /// </summary>
    public const int LibraryLoadTimeoutMs = 500;

    /// <summary>How long all libraries of one FUNCTION RESTORE may take to load, milliseconds.</summary>
    public const int LibraryRestoreTimeoutMs = 5000;

    /// <summary>Subscriptions, or keys watched or waited for, that are given up before others have their turn.
    /// </summary>
    public const int GivenUpAtOnce = 128;

    /// <summary>Threads of the runtime's pool that are always there, more on machines with more processors: of what the
    /// server has the pool do hardly two things fall together, but where there is no memory for threads of their own
    /// the journal's two and a snapshot's are among them.</summary>
    public const int PoolThreads = 6;

    /// <summary>Names (channels, watched keys) of a command that are taken before others have their turn.</summary>
    public const int NamesAtOnce = 512;

    /// <summary>Arguments of a command whose keys are looked up, and no more, or their strings copied, in one go.
    /// </summary>
    public const int StringsAtOnce = 2048;

    /// <summary>Arguments of a command that combines HyperLogLogs in one go: each takes microseconds.</summary>
    public const int HyperLogLogsAtOnce = 128;

    /// <summary>Clients that are described, by CLIENT LIST, or closed, by CLIENT KILL, before others have their turn.
    /// </summary>
    public const int ClientsAtOnce = 64;

    /// <summary>Subscribers that are sent what was published before others have their turn.</summary>
    public const int SendsAtOnce = 256;

    /// <summary>Keys, and buckets, that KEYS looks at before others have their turn.</summary>
    public const int KeysAtOnce = 4096;

    /// <summary>Keys that a call of SCAN looks at where data may be larger than memory.</summary>
    public const int ScannedAtOnce = 16 << 10;

    /// <summary>Microseconds that the commands of one client take before others have their turn; the last of them may
    /// take longer.</summary>
    public const int TurnMicroseconds = 1000;

    /// <summary>Microseconds in a turn after which no further step of long work is begun.</summary>
    public const int StepsMicroseconds = 500;

    /// <summary>Bytes of a command that changes something for which no memory is asked beside what it was received in.
    /// </summary>
    public const int FreeChangeBytes = 64 << 10;

    /// <summary>Arguments of a command that is executed also when memory is at its end, however many keys they are.
    /// </summary>
    public const int FreeArguments = 16 << 10;

    /// <summary>Bytes of the commands queued between MULTI and EXEC.</summary>
    public const long MaxTransactionBytes = 1L << 32;

    /// <summary>Commands queued between MULTI and EXEC.</summary>
    public const int MaxTransactionCommands = 1 << 26;

    /// <summary>Memory for queued commands that is kept for the next transaction, bytes; more is given back.</summary>
    public const int TransactionKeepBytes = 16 << 10;

    /// <summary>Transactions a worker keeps for use again.</summary>
    public const int MaxFreeTransactions = 64;

    /// <summary>Cold records one call of SCAN, or one step of KEYS, reads before it goes on.</summary>
    public const int MaxColdReadsPerStep = 1024;

    /// <summary>Those of a step while memory is short, or many are under way: each takes a kilobyte, and many clients
    /// may have one. What is dropped of the managed part stays in the collector's heap for a while.</summary>
    public const int FewColdReadsPerStep = 128;

    /// <summary>Bytes that a command of a run must move, itself and its reply together, to be timed alone.</summary>
    public const int TimedAloneBytes = 16 << 10;

    /// <summary>What a command does not take that moves no more and depends on nothing else.</summary>
    public const long ShortCommandNanoseconds = 1_000_000;

    /// <summary>The shortest time of systemd's watchdog that can be kept, microseconds.</summary>
    public const long MinWatchdogMicroseconds = 2_000;

    /// <summary>The longest that is looked at, microseconds: a day.</summary>
    public const long MaxWatchdogMicroseconds = 86_400_000_000;

    /// <summary>How long a worker goes on with a snapshot in one turn, microseconds: where its clients have sent
    /// something, and where they have not.</summary>
    public const int BusySnapshotSliceUs = 250;

    /// <inheritdoc cref="BusySnapshotSliceUs"/>
    public const int IdleSnapshotSliceUs = 1000;

    /// <summary>How long the thread that writes a snapshot, or one of the pool, keeps a processor from a worker at a
    /// time, nanoseconds, where the kernel can be told.</summary>
    public const ulong BackgroundTurnNs = 100_000;

    /// <summary>Milliseconds between two looks of a worker at a snapshot that waits for the disk.</summary>
    public const int SnapshotTickMs = 2;

    /// <summary>Milliseconds for which the end of the server waits for a snapshot to give up.</summary>
    public const int SnapshotEndMs = 5000;

    /// <summary>Milliseconds between two looks of the end of the server at whether it still is to save the
    /// data.</summary>
    public const int LastSnapshotCheckMs = 20;

    /// <summary>How long a worker loads data in one turn, milliseconds.</summary>
    public const int LoadingSliceMs = 5;

    /// <summary>Bytes of a block of keys that is handed to the worker that loads them, if none of them is longer.
    /// </summary>
    public const int LoadBlockBytes = 64 << 10;

    /// <summary>Such blocks for each worker.</summary>
    public const int LoadBlocksPerWorker = 4;

    /// <summary>Bytes of the longest value that is handed over; a longer one is loaded by who reads the file, while
    /// nobody else is at its shard.</summary>
    public const int LongestHandedOverBytes = 1 << 20;

    /// <summary>Milliseconds between two lines of the log about how far loading is.</summary>
    public const int LoadingToldMs = 5000;

    /// <summary>Bytes of a block that is handed to who writes a snapshot, about.</summary>
    public const int SnapshotBlockBytes = 64 << 10;

    /// <summary>How long after a rewrite what is kept of the tier for the one before is not counted, milliseconds.
    /// </summary>
    public const int HeldSegmentsSettleMs = 1000;

    /// <summary>Blocks without anything in them that a snapshot keeps for use again.</summary>
    public const int MaxFreeSnapshotBlocks = 64;

    /// <summary>Bytes of a snapshot's file after which it is brought to the disk.</summary>
    public const long SnapshotSyncBytes = 32 << 20;

    /// <summary>Milliseconds after which the data is saved by itself again where that has failed, as by
    /// Redis.</summary>
    public const long SaveRetryMs = 5000;

    /// <summary>Cold records that one call of SCAN, or one step of KEYS, reads now.</summary>
    internal static int ColdReadsPerStep(MemoryBudget budget, ColdReadSet? set)
        => budget.IsOver || set is { AreManyUnderWay: true } ? FewColdReadsPerStep : MaxColdReadsPerStep;

    /// <summary>Proves the relations the code relies on.</summary>
    /// <exception cref="InvalidOperationException">A relation does not hold.</exception>
    public static void Check()
        => Invariant.Check(ReceiveBufferBytes >= MaxInlineBytes, "an inline command fits the receive buffer");
}
