using System.Runtime.InteropServices;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Execution.Runs;

/// <summary>The bytes and arguments of a run's commands while the run waits: copied out of the receive buffer, which
/// goes on to serve others.</summary>
internal sealed unsafe class RunInput : IDisposable
{
    private byte* _bytes;
    private MemoryCharge _charge;

    /// <summary>Nothing yet; memory is charged to a budget.</summary>
    public RunInput(MemoryBudget budget)
    {
        Arguments = new ArgumentBuffer(budget);
        _charge = new MemoryCharge(budget);
    }

    /// <summary>The arguments, counted as <see cref="RunEntry.FirstArgument"/> does.</summary>
    public ArgumentBuffer Arguments { get; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes + Arguments.ChargedBytes;

    /// <summary>Copies the commands of the entries, which from here on lie here.</summary>
    public void Take(Span<RunEntry> entries, ArgumentBuffer arguments)
    {
        var length = 0L;
        foreach (ref readonly var entry in entries)
        {
            length += entry.Length;
        }

        Free(); // Of a copy that memory was short for.
        _bytes = (byte*)NativeMemory.Alloc((nuint)length);
        _charge.Set(length);
        var start = _bytes;
        foreach (ref var entry in entries)
        {
            Buffer.MemoryCopy(entry.Start, start, entry.Length, entry.Length);
            var firstArgument = Arguments.Count;
            for (var i = 0; i < entry.ArgumentCount; i++)
            {
                var argument = arguments.At(entry.FirstArgument + i);
                Arguments.Add(argument->Offset, argument->Length);
            }

            entry.FirstArgument = firstArgument;
            entry.Key = entry.Key.At(start + (entry.Key.Pointer - entry.Start));
            entry.Start = start;
            start += entry.Length;
        }
    }

    /// <summary>Forgets the commands, and gives all memory back.</summary>
    public void Free()
    {
        Arguments.Free();
        FreeBytes();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        FreeBytes();
        Arguments.Dispose();
    }

    private void FreeBytes()
    {
        NativeMemory.Free(_bytes);
        _bytes = null;
        _charge.Set(0);
    }
}
