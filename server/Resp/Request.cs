using System.Runtime.CompilerServices;

namespace Strata.Server.Resp;

/// <summary>One parsed command: its arguments, the verb first, as bytes that lie in the input where they were received.
/// Valid as long as that input and the argument buffer are.</summary>
public readonly unsafe struct Request
{
    private readonly byte* _start;
    private readonly Argument* _arguments;

    public Request(byte* start, Argument* arguments, int count)
    {
        _start = start;
        _arguments = arguments;
        Count = count;
    }

    /// <summary>Number of arguments, the verb included.</summary>
    public int Count { get; }

    /// <summary>The first byte of the command.</summary>
    public byte* Start => _start;

    /// <summary>Where the arguments lie.</summary>
    public Argument* Arguments => _arguments;

    /// <summary>Bytes of all arguments together.</summary>
    public long ArgumentBytes
    {
        get
        {
            var sum = 0L;
            for (var i = 0; i < Count; i++)
            {
                sum += Length(i);
            }

            return sum;
        }
    }

    /// <summary>The bytes of an argument.</summary>
    public ReadOnlySpan<byte> this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(_start + _arguments[index].Offset, _arguments[index].Length);
    }

    /// <summary>Copies the arguments' places, which count from the command's first byte.</summary>
    /// <param name="target">Room for them.</param>
    public void CopyArguments(Argument* target)
        => new Span<Argument>(_arguments, Count).CopyTo(new Span<Argument>(target, Count));

    /// <summary>The request that the arguments from <paramref name="first"/> on make.</summary>
    public Request From(int first) => new(_start, _arguments + first, Count - first);

    /// <summary>The first byte of an argument.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Pointer(int index) => _start + _arguments[index].Offset;

    /// <summary>The length of an argument in bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Length(int index) => _arguments[index].Length;
}
