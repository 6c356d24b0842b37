using System.Runtime.InteropServices;
using Strata.Storage.Index;

namespace Strata.Server.Clients.Access;

/// <summary>Different words in the order they were added, each with a number beside it: any of them is found, added and
/// taken away in the same time, however many there are. They are compared byte by byte, and kept in native memory
/// (<see cref="WordBuffer"/>).</summary>
internal sealed unsafe class WordTable : IDisposable
{
    /// <summary>The highest number that a word may have beside it.</summary>
    public const byte MaxMark = Gone - 1;

    private const byte Gone = byte.MaxValue;
    private const int FirstSlots = 16;

    // How many words may be gone before they make room for others, and how much of all they may be: 1 / so many.
    private const int FewGone = 64;
    private const int PartGone = 2;

    private WordBuffer _words = new();

    // Open addressing: a word's index and 1, 0 where there is none.
    private int* _slots;
    private int _mask = -1;

    /// <summary>No words.</summary>
    public WordTable()
    {
        // It takes memory with the first word.
    }

    /// <summary>The words of a buffer, which are different.</summary>
    public WordTable(WordBuffer words)
    {
        for (var i = 0; i < words.Count; i++)
        {
            Set(words[i], words.MarkOf(i));
        }

        GC.KeepAlive(words);
    }

    ~WordTable() => NativeMemory.Free(_slots);

    /// <summary>Words.</summary>
    public int Count { get; private set; }

    /// <summary>Finds a word.</summary>
    /// <param name="word">Which.</param>
    /// <param name="mark">The number beside it.</param>
    public bool TryGet(ReadOnlySpan<byte> word, out byte mark)
    {
        var index = Find(word, out _);
        mark = index < 0 ? default : _words.MarkOf(index);
        GC.KeepAlive(this);
        return index >= 0;
    }

    /// <summary>Puts a number beside a word, which is added behind all others if it is new.</summary>
    public void Set(ReadOnlySpan<byte> word, byte mark)
    {
        var index = Find(word, out _);
        if (index >= 0)
        {
            _words.Mark(index, mark);
            return;
        }

        if (2 * (_words.Count + 1) > _mask + 1)
        {
            GrowSlots();
        }

        _ = Find(word, out var slot);
        _words.Add(word, mark);
        *slot = _words.Count;
        Count++;
        GC.KeepAlive(this);
    }

    /// <summary>Takes a word away.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(ReadOnlySpan<byte> word)
    {
        var index = Find(word, out _);
        if (index < 0)
        {
            return false;
        }

        _words.Mark(index, Gone);
        Count--;
        if (_words.Count - Count > Math.Max(FewGone, _words.Count / PartGone))
        {
            var words = ToBuffer();
            _words.Dispose();
            _words = words == WordBuffer.None ? new WordBuffer() : words;
            FillSlots();
        }

        return true;
    }

    /// <summary>Takes all away.</summary>
    public void Clear()
    {
        _words.Clear();
        Count = 0;
        NativeMemory.Free(_slots); // Not emptied: that would take as long as the table was ever large.
        _slots = null;
        _mask = -1;
    }

    /// <summary>The words, in a buffer that has room for no more.</summary>
    public WordBuffer ToBuffer()
    {
        if (Count == 0)
        {
            return WordBuffer.None;
        }

        var bytes = 0L;
        for (var i = 0; i < _words.Count; i++)
        {
            bytes += _words.MarkOf(i) == Gone ? 0 : _words[i].Length;
        }

        var buffer = new WordBuffer(Count, bytes);
        for (var i = 0; i < _words.Count; i++)
        {
            if (_words.MarkOf(i) != Gone)
            {
                buffer.Add(_words[i], _words.MarkOf(i));
            }
        }

        GC.KeepAlive(this);
        return buffer;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _words.Dispose();
        NativeMemory.Free(_slots);
        _slots = null;
        _mask = -1;
        Count = 0;
        GC.SuppressFinalize(this);
    }

    /// <summary>Finds a word, or where it would stand.</summary>
    private int Find(ReadOnlySpan<byte> word, out int* slot)
    {
        slot = null;
        if (_slots == null)
        {
            return -1;
        }

        for (var at = (int)KeyHash.Compute(word) & _mask; ; at = (at + 1) & _mask)
        {
            slot = &_slots[at];
            if (*slot == 0)
            {
                return -1;
            }

            var index = *slot - 1;
            if (_words.MarkOf(index) != Gone && _words[index].SequenceEqual(word))
            {
                return index;
            }
        }
    }

    private void GrowSlots()
    {
        var slots = Math.Max(FirstSlots, checked(2 * (_mask + 1)));
        _slots = (int*)NativeMemory.Realloc(_slots, (nuint)slots * sizeof(int));
        _mask = slots - 1;
        FillSlots();
    }

    private void FillSlots()
    {
        NativeMemory.Clear(_slots, (nuint)(_mask + 1) * sizeof(int));
        for (var i = 0; i < _words.Count; i++)
        {
            if (_words.MarkOf(i) != Gone)
            {
                _ = Find(_words[i], out var slot);
                *slot = i + 1;
            }
        }
    }
}
