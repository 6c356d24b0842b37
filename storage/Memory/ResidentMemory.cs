using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace Strata.Storage.Memory;

/// <summary>What the system says that the process holds (proc_pid_statm(5)). The file is opened once: a look takes a
/// call and no memory, and <see cref="Environment.WorkingSet"/> looks at each thread.</summary>
public static class ResidentMemory
{
    private const int ResidentColumn = 1;
    private const int SharedColumn = 2;

    private static readonly SafeFileHandle s_sizes = File.OpenHandle("/proc/self/statm");

    /// <summary>All of it, bytes.</summary>
    public static long AllBytes => Read(out _);

    /// <summary>Without memory of files, which is the system's, bytes.</summary>
    public static long OwnBytes => Read(out var sharedBytes) - sharedBytes;

    private static long Read(out long sharedBytes)
    {
        Span<byte> text = stackalloc byte[128];
        ReadOnlySpan<byte> numbers = text[..RandomAccess.Read(s_sizes, text, fileOffset: 0)];
        Span<long> pages = stackalloc long[SharedColumn + 1];
        for (var i = 0; i < pages.Length && Utf8Parser.TryParse(numbers, out pages[i], out var length); i++)
        {
            numbers = numbers[Math.Min(length + 1, numbers.Length)..];
        }

        sharedBytes = pages[SharedColumn] * MappedMemory.PageBytes;
        return pages[ResidentColumn] * MappedMemory.PageBytes;
    }
}
