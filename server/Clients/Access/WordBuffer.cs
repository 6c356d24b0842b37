using System.Runtime.InteropServices;
using Strata.Server.Options;

namespace Strata.Server.Clients.Access;

/// <summary>
/// Words, one character a byte, in the order they were added, each with a number beside it: one behind the other in
/// native memory, so that the collector, which stops every thread while it looks at objects, has nothing to look at,
/// however many words there are. Freed by <see cref="Dispose"/>, or when nobody points to it any more: who reads a word
/// keeps the buffer alive meanwhile. Not for several threads, unless none changes it.
/// </summary>
internal sealed unsafe class WordBuffer : IDisposable
{
    private const long FirstBytes = 64;
    private const int FirstWords = 8;

    /// <summary>Bytes of a word beside its text.</summary>
    public const int BytesPerWord = sizeof(long) + sizeof(byte);

    private byte* _text;
    private long* _ends;
    private byte* _marks;
    private long _textCapacity;
    private int _wordCapacity;

    /// <summary>An empty buffer.</summary>
    public WordBuffer()
    {
        // It takes memory with the first word.
    }

    /// <summary>An empty buffer with room for so much, and no more than that.</summary>
    public WordBuffer(int words, long textBytes)
    {
        GrowText(textBytes);
        GrowWords(words);
    }

    ~WordBuffer() => Free();

    /// <summary>No words, and never any.</summary>
    public static WordBuffer None { get; } = new();

    /// <summary>Words.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of all words.</summary>
    public long TextBytes => Count == 0 ? 0 : _ends[Count - 1];

    /// <summary>Memory, bytes.</summary>
    public long SizeBytes => _textCapacity + (_wordCapacity * (long)BytesPerWord);

    /// <summary>A word; good until the buffer is changed.</summary>
    public ReadOnlySpan<byte> this[int index]
    {
        get
        {
            var start = StartOf(index);
            return new ReadOnlySpan<byte>(_text + start, checked((int)(_ends[index] - start)));
        }
    }

    /// <summary>The number beside a word.</summary>
    public byte MarkOf(int index) => _marks[index];

    /// <summary>Changes the number beside a word.</summary>
    public void Mark(int index, byte mark) => _marks[index] = mark;

    /// <summary>A word as characters.</summary>
    public string TextAt(int index) => ConfigurationText.FromBytes(this[index]);

    /// <summary>Adds a word.</summary>
    /// <param name="word">Which.</param>
    /// <param name="mark">The number beside it.</param>
    public void Add(ReadOnlySpan<byte> word, byte mark = 0)
    {
        if (Count == _wordCapacity)
        {
            GrowWords(Math.Max(FirstWords, checked(2 * _wordCapacity)));
        }

        _ends[Count] = TextBytes;
        _marks[Count] = mark;
        Count++;
        Extend(word);
    }

    /// <summary>Adds to the last word.</summary>
    public void Extend(ReadOnlySpan<byte> text)
    {
        var start = TextBytes;
        var end = start + text.Length;
        if (end > _textCapacity)
        {
            GrowText(Math.Max(FirstBytes, Math.Max(end, 2 * _textCapacity)));
        }

        text.CopyTo(new Span<byte>(_text + start, text.Length));
        _ends[Count - 1] = end;
        GC.KeepAlive(this);
    }

    /// <summary>Forgets the words, and keeps the memory.</summary>
    public void Clear() => Count = 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private long StartOf(int index) => index == 0 ? 0 : _ends[index - 1];

    private void GrowText(long bytes)
    {
        _text = (byte*)NativeMemory.Realloc(_text, checked((nuint)bytes));
        _textCapacity = bytes;
    }

    private void GrowWords(int words)
    {
        _ends = (long*)NativeMemory.Realloc(_ends, (nuint)words * sizeof(long));
        _marks = (byte*)NativeMemory.Realloc(_marks, (nuint)words);
        _wordCapacity = words;
    }

    private void Free()
    {
        NativeMemory.Free(_text);
        NativeMemory.Free(_ends);
        NativeMemory.Free(_marks);
        _text = null;
        _ends = null;
        _marks = null;
        (_textCapacity, _wordCapacity, Count) = (0, 0, 0);
    }
}
