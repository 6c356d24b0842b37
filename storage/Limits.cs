namespace Strata.Storage;

/// <summary>
/// Every fixed bound of the storage in one place. Configurable bounds live in the options; what stands here
/// follows from a layout or guards against hostile input. <see cref="Check"/> proves their relations at start.
/// </summary>
public static class Limits
{
    /// <summary>Smallest number of shards.</summary>
    public const int MinShards = 1;

    /// <summary>Largest number of shards: the shard is taken from the top 8 bits of the hash.</summary>
    public const int MaxShards = 256;

    /// <summary>Largest number of databases: a record names its database in one byte.</summary>
    public const int MaxDatabases = 256;

    /// <summary>Largest number of workers.</summary>
    public const int MaxWorkers = 256;

    /// <summary>Largest value or key, bytes: the record's length field has 30 bits.</summary>
    public const int MaxValueBytes = (1 << 30) - 1;

    /// <summary>Smallest and largest page of the record log, as powers of two. The smallest is the processor's page, in
    /// which memory is given back.</summary>
    public const int MinPageBits = 12;

    /// <inheritdoc cref="MinPageBits"/>
    public const int MaxPageBits = 18;

    /// <summary>Smallest page of the record log, bytes.</summary>
    public const int MinPageBytes = 1 << MinPageBits;

    /// <summary>Pages a shard should have at its memory limit: eviction chooses among them, and what is open but not
    /// yet filled is a small part of them.</summary>
    public const int PagesPerShard = 128;

    /// <summary>A record larger than page size / 2^3 gets a page of its own, so that page tails waste at most an
    /// eighth.</summary>
    public const int JumboShift = 3;

    /// <summary>A record up to this size shares a page if two fit in one, bytes: rounded up to whole pages of the
    /// processor it would waste more.</summary>
    public const int MinJumboBytes = 8192;

    /// <summary>A value of fewer bytes is copied from the connection that received it into its record; the pages of a
    /// larger one are moved. Each may make the kernel keep three mappings, of which a process has 65,530.</summary>
    public const int LeastMovedBytes = 16 << 20;

    /// <summary>Nor are the pages of a value moved that is smaller than the machine's memory / 2^12: so there are never
    /// many such mappings.</summary>
    public const int MovedShareBits = 12;

    /// <summary>Virtual address space reserved for the record log of all shards together, bytes. It costs no
    /// memory.</summary>
    public const long LogReserveBytes = 1L << 42;

    /// <summary>Virtual address space reserved for the index buckets of all shards together, bytes.</summary>
    public const long IndexReserveBytes = 1L << 39;

    /// <summary>Virtual address space reserved for the slabs of large collections of all shards together, bytes. It
    /// costs no memory.</summary>
    public const long HeapReserveBytes = 1L << 41;

    /// <summary>The part of the memory limit that may be held beyond it by what was given up and is not free yet: pages
    /// that somebody may still read, deleted collections. Who takes memory then frees some of that first, or waits.
    /// </summary>
    public const int RetiredShare = 16;

    /// <summary>The part of the memory limit that may be held beyond it by what cannot be given up, together with <see
    /// cref="EndBytes"/>.</summary>
    public const int EndShare = 8;

    /// <inheritdoc cref="EndShare"/>
    public const int EndBytes = 8 << 20;

    /// <summary>The part of the memory limit that may be exceeded while nothing is given up for it at once: by commands
    /// that are still arriving, and by clients that CLIENT PAUSE, which holds eviction, does not hold.</summary>
    public const int OverShare = 16;

    /// <summary>Microseconds for which memory that was given up is freed before one command that needs some; where that
    /// is not enough it waits.</summary>
    public const int CatchUpUs = 500;

    /// <summary>Elements of deleted collections that are freed after each command.</summary>
    public const int ElementsFreedPerCommand = 128;

    /// <summary>Milliseconds after which a page on the device that could not be read is gone over again for what has
    /// expired in it.</summary>
    public const int ExpiryRetryMs = 10_000;

    /// <summary>Expired fields that a command on their hash takes out before it looks at it. It does not see what is
    /// left, which is for the background cycle and the next commands.</summary>
    public const int FieldsExpiredPerCommand = 512;

    /// <summary>How much of a large collection is packed for the device, or made large again, in one turn of a worker:
    /// elements, of which each 128 bytes count for another. Some tenths of a millisecond.</summary>
    public const int CollectionStepEffort = 512;

    /// <summary>A value of more bytes that has a page of its own is written to a snapshot in steps: what can be copied,
    /// and packed, in some tenths of a millisecond.</summary>
    public const int LargestSavedAtOnceBytes = 128 << 10;

    /// <summary>Pages of one shard that are read from the device at a time for a snapshot.</summary>
    public const int SnapshotReads = 2;

    /// <summary>Buckets of the index that a snapshot goes over between two looks at the clock.</summary>
    public const int BucketsPerSnapshotStep = 16;

    /// <summary>Bytes of deleted collections, and their part of those in use, that may wait to be freed. With more, a
    /// command that allocates memory for elements frees as much.</summary>
    public const long LeastFreeingDebtBytes = 16 << 20;

    /// <inheritdoc cref="LeastFreeingDebtBytes"/>
    public const int FreeingDebtShare = 2;

    /// <summary>Bytes by which a collection may grow that a command makes of others, before it asks for memory.
    /// </summary>
    public const int ResultStepBytes = 256 << 10;

    /// <summary>Bytes of a stream's block from which on the next entry goes to another, whatever
    /// <c>stream-node-max-bytes</c> allows: a block is searched from its front, and moves as a whole when one of its
    /// entries goes. A longer entry has a block for itself.</summary>
    public const int MaxStreamBlockBytes = 64 << 10;

    /// <summary>Bytes up to which a stream without groups is packed in its record: it moves when it grows.</summary>
    public const int MaxPackedStreamBytes = 1024;

    /// <summary>How often a command, or a run, waits for frozen collections to be made large step by step. What it then
    /// meets it makes large at once, so that it comes to an end even if memory holds less than all it needs.</summary>
    public const int MaxThawRounds = 16;

    /// <summary>Milliseconds that a frozen collection is not made larger for want of memory; then it is all the same,
    /// since what holds the memory may wait for it, up to the end of memory.</summary>
    public const int ThawPatienceMs = 500;

    /// <summary>Retired or emptied frames a shard keeps resident for reuse before it returns memory to the
    /// system.</summary>
    public const int MaxFreeFramesPerShard = 1;

    /// <summary>Freed frames of all shards that the kernel is told to leave out of huge pages. Each may split one of
    /// the process's memory mappings in three, of which Linux allows 65,530 (vm.max_map_count).</summary>
    public const int MaxHugePageHoles = 8192;

    /// <summary>Smallest and largest segment of the tier, bytes. What is written or read in parts, in 1 MiB, never
    /// crosses the end of a segment.</summary>
    public const long MinTierSegmentBytes = 1 << 20;

    /// <inheritdoc cref="MinTierSegmentBytes"/>
    public const long MaxTierSegmentBytes = 1L << 40;

    /// <summary>Steps in which the file of a segment grows as it is written, bytes.</summary>
    public const long SegmentGrowthBytes = 8 << 20;

    /// <summary>Virtual address space reserved for buffers of a page and more that are not mapped one by one, bytes. It
    /// costs no memory; where it is used up, buffers lie in the C library's heap.</summary>
    public const long BufferReserveBytes = 1L << 33;

    /// <summary>The part of the buffers kept for use again that such may be.</summary>
    public const int IdlePagedShare = 4;

    /// <summary>Bytes of long buffers and records whose memory is given back to the system in one go: others wait for
    /// that.</summary>
    public const int ReleasedAtOnceBytes = 512 << 10;

    /// <summary>Buffers from this size on, bytes, are mapped from the kernel, and kept for use again.</summary>
    public const int LeastMappedBufferBytes = 128 << 10;

    /// <summary>Buffers that are mapped at a time; more lie in the C library's heap. Each may be one of the process's
    /// memory mappings, of which Linux allows 65,530 (vm.max_map_count).</summary>
    public const int MaxMappedBuffers = 8192;

    /// <summary>The part of the memory limit that may be kept as buffers which nobody uses, and how many of how
    /// many bytes at most.</summary>
    public const int IdleBufferShare = 8;

    /// <inheritdoc cref="IdleBufferShare"/>
    public const int MaxIdleBuffers = 256;

    /// <inheritdoc cref="IdleBufferShare"/>
    public const long MaxIdleBufferBytes = 64 << 20;

    /// <summary>Milliseconds after which a buffer that nobody has used goes back to the system.</summary>
    public const int BufferIdleMs = 5000;

    /// <summary>Buffers from this size on, bytes, take whole huge pages: of 2 MiB, of which a smaller one would leave
    /// too much unused.</summary>
    public const int LeastHugeBufferBytes = 4 << 20;

    /// <summary>The part by which a buffer that is held for long may be larger than what was asked for.</summary>
    public const int BufferSlackShare = 8;

    /// <summary>Pages of one shard, those on a device included.</summary>
    public const int MaxPagesPerShard = 1 << 25;

    /// <summary>Segments of one shard that a checkpoint may name.</summary>
    public const int MaxSegmentsPerShard = 1 << 24;

    /// <summary>The longest page that a checkpoint may name, bytes: one of the longest key and value.</summary>
    public const long LargestKeptPageBytes = 2L << 30;

    /// <summary>Pages that are given to a checkpoint in one step.</summary>
    public const int PagesPerCheckpointStep = 512;

    /// <summary>Largest sector of a device, bytes: pages on a device begin at multiples of it.</summary>
    public const int MaxSectorBytes = MinPageBytes;

    /// <summary>Bytes of a record that the first read from the device brings at least: a header with all its parts, and
    /// all of a record with a short key and a value of some 100 bytes.</summary>
    public const int FirstReadBytes = 256;

    /// <summary>Events taken from the kernel in one wait.</summary>
    public const int EventsPerWait = 256;

    /// <summary>The longest that a worker's background work for its shards holds up its clients, milliseconds, but for
    /// the last page or collection it is at.</summary>
    public const int BackgroundSliceMs = 1;

    /// <summary>Reads of cold records, and sets of them, that a worker keeps for use again.</summary>
    public const int MaxFreeColdReads = 1024;

    /// <summary>Cold records that the sets of a worker ask for, from where on each is to ask for few.</summary>
    public const int ManyColdReads = 2 * MaxFreeColdReads;

    /// <summary>Reads that are under way at a time for a command which cannot be executed again, and waits for them on
    /// its thread.</summary>
    public const int AwaitedReads = 8;

    /// <summary>Sets of records that commands of one worker wait for, above which no more is received at the end of
    /// memory from clients that have sent much, and from any.</summary>
    public const int CrowdOfColdReads = 256, MostColdReads = 1024;

    /// <summary>The part of the memory limit that records may hold which commands have read from the device; as much as
    /// is kept in pages that can be let go at once.</summary>
    public const int ColdReadShare = 8;

    /// <summary>Bytes of records that are read from the device at a time for commands which can be executed one by one,
    /// and the least that is granted to all together.</summary>
    public const long ColdPartBytes = 4 << 20;

    /// <summary>Bytes of records that are read from the device where no others are, even if memory is at its end.
    /// </summary>
    public const long FreeColdBytes = 64 << 10;

    /// <summary>Milliseconds that reads from the device wait for memory while none becomes free; then they are refused.
    /// Clients that have stopped to read are found in this time, and closed.</summary>
    public const int ColdRoomPatienceMs = 2500;

    /// <summary>What part of what a command has read from the device it may read more without waiting behind others.
    /// </summary>
    public const int ColdMoreShare = 4;

    /// <summary>How many times as long they wait while some becomes free that others take.</summary>
    public const int ColdRoomPatienceShare = 4;

    /// <summary>Milliseconds between two looks whether there is memory for those who wait for some.</summary>
    public const int RoomTickMs = 2;

    /// <summary>What a command of several keys may at least hold at a time of records read from the device, bytes;
    /// where the memory limit is larger, that.</summary>
    public const long LeastColdCommandBytes = 16 << 20;

    /// <summary>The largest page, bytes, that is read back from the device whatever others are read.</summary>
    public const long FreePageReadBytes = 1 << 20;

    /// <summary>Pages that are let go, if they must, before reads begin which are given room. The rest is for the next
    /// commands and the background cycle.</summary>
    public const int PagesLetGoPerGrant = 256;

    /// <summary>Managed memory that the interest of a client in a key takes besides the key's bytes, about.</summary>
    public const int BytesPerInterest = 320;

    /// <summary>What it takes more if it is in a stream, whose waiters are found apart while there may be something for
    /// them.</summary>
    public const int BytesPerDueWait = 128;

    /// <summary>Watched keys, of all shards together, about, that are looked at where whole databases change: of more
    /// all count as changed. Likewise of those that are waited for: of more it is looked in steps what is there now.
    /// </summary>
    public const int WatchesTold = 1024;

    /// <summary>Of those, how many are looked at in one go.</summary>
    public const int ExchangedAtOnce = 256;

    /// <summary>Those of a shard that are looked at in any case.</summary>
    public const int LeastWatchesTold = 16;

    /// <summary>Attempts to find a free lease before the work is left in the shard's queue: about a microsecond.
    /// </summary>
    public const int LeaseSpins = 40;

    /// <summary>How often a command that needs several leases finds one of them taken before it has them reserved.
    /// </summary>
    public const int LeaseWaitsBeforeReserving = 3;

    /// <summary>Work of others that is executed before a lease is given back; with more in its queue it is given back
    /// all the same, and somebody else goes on. Each may be a run's commands for the shard.</summary>
    public const int WorkPerRelease = 16;

    /// <summary>Requests a queue of a memory or null device takes at a time, a power of two.</summary>
    public const int MemoryQueueDepth = 4096;

    /// <summary>Address space reserved for a memory device's only segment where segments have no bounds, bytes. It
    /// costs no memory.</summary>
    public const long MemorySegmentReserveBytes = 1L << 42;

    /// <summary>Bytes that requests to a memory or null device are multiples of: those of the smallest disk sector.
    /// </summary>
    public const int MinSectorBytes = 512;

    /// <summary>Longest latency that a memory device simulates, microseconds.</summary>
    public const int MaxSimulatedLatencyUs = 60_000_000;

    /// <summary>Largest number of requests a queue to files takes at a time (STRATA_MAX_DEPTH of the native library).
    /// </summary>
    public const int MaxQueueDepth = 4096;

    /// <summary>Requests a queue to files takes at a time where nothing else is said.</summary>
    public const int DefaultQueueDepth = 128;

    /// <summary>Threads the pool may use at once for the managed device: each is busy for the whole of a read.
    /// </summary>
    public const int ManagedDeviceThreads = 32;

    /// <summary>Proves the relations the code relies on.</summary>
    /// <exception cref="InvalidOperationException">A relation does not hold.</exception>
    public static void Check()
    {
        Invariant.Check(MaxShards <= 256, "the shard number is 8 bits of the hash");
        Invariant.Check(MaxPageBits > MinPageBits, "page sizes");
        Invariant.Check(LogReserveBytes / MinShards <= 4L << 40, "an address has 40 bits of 4-byte units");
        Invariant.Check(MaxSectorBytes <= Memory.MappedMemory.PageBytes, "a page begins where a sector does");
        Invariant.Check(LeastMappedBufferBytes <= Memory.PagedBlocks.MostBytes, "a buffer is in pages or mapped");
        Invariant.Check(int.IsPow2(MemoryQueueDepth), "positions in a queue wrap by masking");
        Invariant.Check(DefaultQueueDepth <= MaxQueueDepth, "queue depths");
        Invariant.Check(MaxValueBytes <= Log.RecordHeader.MaxValueLength, "a record's length field holds a value");
        Invariant.Check(
            Log.RecordHeader.MaxCompactBytes <= (MinPageBytes / 2) - Log.RecordLog.FirstOffset,
            "a record with a page of its own is wide");
    }
}
