using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Runtime;

namespace Strata.Storage.Sharding;

/// <summary>
/// One party's interest in what becomes of one key, there or not: a member of one of a shard's
/// <see cref="KeyInterests"/>. It is entered under the lease of the key's shard, and ends by <see cref="Leave"/>. As
/// work left with a taken lease it ends when the lease is given back.
/// </summary>
public abstract unsafe class KeyInterest : ShardWork
{
    private readonly byte[] _bytes;
    private Key _key;
    private Shard? _shard;

    /// <summary>An interest in a key, whose bytes are copied. It is entered nowhere yet.</summary>
    protected KeyInterest(in Key key, Worker owner)
    {
        _bytes = GC.AllocateUninitializedArray<byte>(key.Length, pinned: true);
        key.Span.CopyTo(_bytes);
        _key = key.At(Pointer);
        Owner = owner;
    }

    /// <inheritdoc/>
    public override Worker Owner { get; }

    /// <summary>The key, good as long as this object is.</summary>
    public Key Key => _key;

    /// <summary>The next one of the keys with the same hash, younger than this.</summary>
    public KeyInterest? Younger { get; internal set; }

    internal KeyInterest? Older { get; set; }

    private byte* Pointer => (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_bytes));

    /// <summary>Enters the interest, behind those that were entered before. The lease must be held.</summary>
    public void Enter(Shard shard)
    {
        InterestsOf(shard).Add(this);
        Volatile.Write(ref _shard, shard);
    }

    /// <summary>Ends the interest: at once, or when the lease is given back. On the owner's thread.</summary>
    public void Leave()
    {
        while (Volatile.Read(ref _shard) is { } shard)
        {
            if (!shard.Lease.TryAcquire())
            {
                shard.Lease.Queue(shard, this);
                return;
            }

            Execute(shard);
            shard.Lease.Release(shard);
        }
    }

    /// <summary>Whether the interest is in this key.</summary>
    public bool IsIn(in Key key)
        => _key.Hash == key.Hash && _key.Database == key.Database && key.Span.SequenceEqual(_bytes);

    /// <summary>Ends the interest if it is one of this shard; it may have gone to another meanwhile.</summary>
    public override void Execute(Shard shard)
    {
        if (_shard == shard)
        {
            InterestsOf(shard).Remove(this);
            Volatile.Write(ref _shard, null);
            OnLeft(shard);
        }
    }

    /// <summary>Returned from a lease's queue.</summary>
    public override void Run(Worker worker) => Leave();

    /// <summary>Goes over to the key of the same name in another database. All leases must be held.</summary>
    internal void MoveTo(byte database, ShardMap shards)
    {
        InterestsOf(_shard!).Remove(this);
        _key = new Key(Pointer, _bytes.Length, database);
        Enter(shards.Of(_key.Hash));
    }

    /// <summary>Which of a shard's interests it belongs to.</summary>
    protected abstract KeyInterests InterestsOf(Shard shard);

    /// <summary>The interest has ended; the lease is held.</summary>
    protected virtual void OnLeft(Shard shard)
    {
    }
}
