using System.Runtime.InteropServices;

namespace Strata.Server.Journal.Files;

/// <summary>
/// What a file of the journal ends with, ahead of what is written, while each batch is waited for: a file system syncs
/// bytes that take the place of others in half the time that it takes to make the file longer, since nothing but they
/// is to be written. It is lines that begin with <c>#</c>, so that Redis skips them, also where one begins in the midst
/// of a line: 63 such bytes and a line feed, which stands before each place of the file that is a multiple of 64. Only
/// the first byte may be a <c>#</c> where a line feed would be.
/// </summary>
internal sealed unsafe class JournalFiller : IDisposable
{
    /// <summary>Bytes of a line.</summary>
    public const int LineBytes = 64;

    /// <summary>What it begins with.</summary>
    public const byte First = (byte)'#';

    private const int PatternBytes = 128 << 10;

    private byte* _pattern;

    /// <summary>Makes what is written.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public JournalFiller()
    {
        _pattern = (byte*)NativeMemory.Alloc(PatternBytes + LineBytes);
        for (var i = 0; i < PatternBytes + LineBytes; i++)
        {
            _pattern[i] = At(i);
        }
    }

    /// <summary>The byte at a place of the file.</summary>
    public static byte At(long offset) => IsLineEnd(offset) ? (byte)'\n' : First;

    /// <summary>Whether a line ends with this place.</summary>
    public static bool IsLineEnd(long offset) => offset % LineBytes == LineBytes - 1;

    /// <summary>Writes it to a file.</summary>
    /// <param name="file">The file.</param>
    /// <param name="from">Where it begins: the end of the file.</param>
    /// <param name="end">Where it ends, with a line.</param>
    public JournalError Write(IJournalFile file, long from, long end)
    {
        if (IsLineEnd(from))
        {
            var first = First;
            var error = file.Write(from, &first, 1, out _);
            if (error.IsError)
            {
                return error;
            }

            from++;
        }

        while (from < end)
        {
            var length = Math.Min(end - from, PatternBytes);
            var error = file.Write(from, _pattern + (from % LineBytes), length, out _);
            if (error.IsError)
            {
                return error;
            }

            from += length;
        }

        return default;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_pattern);
        _pattern = null;
    }
}
