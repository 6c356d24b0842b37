using Strata.Storage.Index;
using Strata.Storage.Tiering;

namespace Strata.Bench.Kv;

/// <summary>One of the operations that a thread keeps under way: its key, and the cold records it needs.</summary>
internal sealed unsafe class KvOperation(KvThread thread, byte* keyBytes, int keyLength, ColdReadSet? set)
    : IColdReadWaiter
{
    /// <summary>The records on the device that the operation needs; null where all data is in memory.</summary>
    public ColdReadSet? Set => set;

    public KvVerb Verb { get; private set; }

    /// <summary>The key's number.</summary>
    public long Number { get; private set; }

    public Key Key { get; private set; }

    /// <summary>When it was drawn, as a <see cref="System.Diagnostics.Stopwatch"/> timestamp.</summary>
    public long StartedAt { get; private set; }

    public void Begin(KvVerb verb, long number, long now)
    {
        Verb = verb;
        Number = number;
        StartedAt = now;
        *(long*)keyBytes = number; // What lies behind stays as it is.
        Key = new Key(keyBytes, keyLength, database: 0);
    }

    public void OnColdReads() => thread.Resume(this);
}
