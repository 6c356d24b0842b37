using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>
/// One party's interest in what becomes of one key, there or not: a member of one of a shard's
/// <see cref="KeyInterests"/>. It is entered under the lease of the key's shard, and ends by <see cref="Leave"/>. As
/// work left with a taken lease it ends when the lease is given back.
/// </summary>
public abstract unsafe class KeyInterest : ShardWork
{
    private readonly byte[] _bytes;
    private Key _key;
    private KeyInterests? _interests;
    private KeyInterests? _leaving;

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

    /// <summary>Memory that it and its place among those of its party and of its shard take, bytes, about.</summary>
    public virtual int SizeBytes => Limits.BytesPerInterest + _bytes.Length;

    /// <summary>The next one of the keys with the same hash, younger than this.</summary>
    public KeyInterest? Younger { get; internal set; }

    internal KeyInterest? Older { get; set; }

    /// <summary>Its number among those that were ever entered where it is.</summary>
    internal long Number { get; set; }

    /// <summary>Those it is one of; null if none. Under their lease.</summary>
    private protected KeyInterests? Interests => _interests;

    private byte* Pointer => (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_bytes));

    /// <summary>Ends the interest: at once, or when the lease is given back. On the owner's thread.</summary>
    public void Leave()
    {
        while (Volatile.Read(ref _interests) is { } interests)
        {
            if (!interests.Lease.IsShared)
            {
                EndIn(interests); // Whoever has taken it is at work on this thread.
                return;
            }

            if (!interests.Lease.TryAcquire())
            {
                _leaving = interests;
                interests.Lease.Queue(this);
                return;
            }

            EndIn(interests);
            interests.Lease.Release();
        }
    }

    /// <summary>Whether the interest is in this key.</summary>
    public bool IsIn(in Key key)
        => _key.Hash == key.Hash && _key.Database == key.Database && key.Span.SequenceEqual(_bytes);

    /// <summary>Ends the interest if it is one of the shard whose lease it was left with; it may have gone to another
    /// meanwhile.</summary>
    public override void Execute() => EndIn(_leaving!);

    /// <summary>Returned from a lease's queue.</summary>
    public override void Run(Worker worker) => Leave();

    /// <summary>The key of the same name in another database.</summary>
    internal Key KeyIn(byte database) => new(Pointer, _bytes.Length, database);

    /// <summary>Goes over to a key that <see cref="KeyIn"/> gave. The leases of both shards must be held.</summary>
    /// <param name="key">The key.</param>
    /// <param name="interests">The interests of its shard, of the same kind as those the interest is one of.</param>
    internal void MoveTo(in Key key, KeyInterests interests)
    {
        _interests!.Remove(this);
        _key = key;
        EnterInto(interests);
    }

    /// <summary>Enters the interest, behind those that were entered before. The lease must be held.</summary>
    private protected void EnterInto(KeyInterests interests)
    {
        interests.Add(this);
        Volatile.Write(ref _interests, interests);
    }

    /// <summary>Ends the interest if it is one of these, whose lease is held.</summary>
    private void EndIn(KeyInterests interests)
    {
        if (_interests == interests)
        {
            interests.Remove(this);
            Volatile.Write(ref _interests, null);
            OnLeft(interests);
        }
    }

    /// <summary>The interest has ended; the lease is held.</summary>
    /// <param name="interests">Those it was one of.</param>
    private protected virtual void OnLeft(KeyInterests interests)
    {
    }
}
