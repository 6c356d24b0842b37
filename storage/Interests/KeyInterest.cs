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
    private KeyInterests? _interests;
    private KeyInterests? _leaving;

    /// <summary>An interest in a key, whose bytes are copied. It is entered nowhere yet.</summary>
    protected KeyInterest(in Key key, Worker owner)
    {
        _bytes = GC.AllocateUninitializedArray<byte>(key.Length, pinned: true);
        key.Span.CopyTo(_bytes);
        Place = key.At(Pointer);
        Owner = owner;
    }

    /// <inheritdoc/>
    public override Worker Owner { get; }

    /// <summary>The key, good as long as this object is. Where databases have been exchanged since it was entered it is
    /// the one of the same name that took the place of the first: under the lease.</summary>
    public Key Key => Volatile.Read(ref _interests) is { } interests ? interests.KeyAt(Place) : Place;

    /// <summary>The key that it stands under where it is entered: the same, whatever databases are exchanged.</summary>
    internal Key Place { get; private set; }

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
    public bool IsIn(in Key key) => IsSame(Key, key);

    /// <summary>Ends the interest if it is one of the shard whose lease it was left with; it may have gone to another
    /// meanwhile.</summary>
    public override void Execute() => EndIn(_leaving!);

    /// <summary>Returned from a lease's queue.</summary>
    public override void Run(Worker worker) => Leave();

    /// <summary>Whether it stands under a key.</summary>
    internal bool StandsUnder(in Key place) => IsSame(Place, place);

    /// <summary>Enters the interest, behind those that were entered before. The lease must be held.</summary>
    private protected void EnterInto(KeyInterests interests)
    {
        Place = interests.PlaceOf(Place);
        OnEntering();
        interests.Add(this);
        Volatile.Write(ref _interests, interests);
    }

    /// <summary>It is known under which key the interest will stand; the lease is held.</summary>
    private protected virtual void OnEntering()
    {
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

    private static bool IsSame(in Key one, in Key other)
        => one.Hash == other.Hash && one.Database == other.Database && one.Span.SequenceEqual(other.Span);

    /// <summary>The interest has ended; the lease is held.</summary>
    /// <param name="interests">Those it was one of.</param>
    private protected virtual void OnLeft(KeyInterests interests)
    {
    }
}
