using System.Runtime.CompilerServices;

namespace Strata.Storage.Index;

/// <summary>A key of one database with its hash, computed once. It points into memory that does not move (a receive
/// buffer, a record) and is valid as long as that memory is.</summary>
public readonly unsafe struct Key
{
    /// <summary>Hashes <paramref name="length"/> bytes at <paramref name="pointer"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Key(byte* pointer, int length, byte database)
        : this(pointer, length, database, KeyHash.Compute(pointer, length, database))
    {
    }

    /// <summary>A key whose hash is known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Key(byte* pointer, int length, byte database, ulong hash)
    {
        Pointer = pointer;
        Length = length;
        Database = database;
        Hash = hash;
    }

    public byte* Pointer { get; }

    /// <summary>The same key, whose bytes also lie at <paramref name="pointer"/>.</summary>
    public Key At(byte* pointer) => new(pointer, Length, Database, Hash);

    /// <summary>The key of the same name in another database; it is in the same shard.</summary>
    public Key In(byte database) => new(Pointer, Length, database, KeyHash.Move(Hash, Database, database));

    /// <summary>Bytes.</summary>
    public int Length { get; }

    /// <summary>The database's physical number (SWAPDB changes which one a client's number means).</summary>
    public byte Database { get; }

    public ulong Hash { get; }

    public ReadOnlySpan<byte> Span => new(Pointer, Length);
}
