using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>Where the arguments of parsed commands lie: offsets and lengths relative to their command's first byte, in
/// native memory that grows as arguments arrive (never by what a header claims).</summary>
public sealed unsafe class ArgumentBuffer : NativeList<Argument>
{
    private const int ManagedBytes = 96;

    /// <summary>Arguments of the commands of a run, mostly.</summary>
    public const int UsualCapacity = 256;

    /// <summary>Arguments of one command, mostly.</summary>
    public const int SmallCapacity = 16;

    /// <summary>An empty buffer.</summary>
    /// <param name="budget">What is charged for more than it has from the start.</param>
    /// <param name="capacity">How many arguments it has memory for from the start.</param>
    public ArgumentBuffer(MemoryBudget budget, int capacity = UsualCapacity)
        : base(budget, capacity)
    {
    }

    /// <summary>Memory of a buffer of so many arguments, about, which it does not charge itself.</summary>
    public static int BytesFromTheStart(int capacity) => (capacity * sizeof(Argument)) + ManagedBytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(int offset, int length) => Add(new Argument(offset, length));

    /// <summary>Forgets all arguments, and gives back what an unusual command made the buffer grow to.</summary>
    public void Clear()
    {
        Count = 0;
        if (Capacity > UsualCapacity * 64)
        {
            Free();
        }
    }

    /// <summary>Forgets the first <paramref name="count"/> arguments.</summary>
    public void RemoveFirst(int count)
    {
        Count -= count;
        Buffer.MemoryCopy(At(count), At(0), (long)Count * sizeof(Argument), (long)Count * sizeof(Argument));
    }

    /// <summary>Takes over the arguments of <paramref name="other"/> from <paramref name="first"/> on.</summary>
    public void CopyFrom(ArgumentBuffer other, int first)
    {
        Count = 0;
        for (var i = first; i < other.Count; i++)
        {
            Add(*other.At(i));
        }
    }
}
