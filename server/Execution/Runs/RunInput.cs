using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Memory;

namespace Strata.Server.Execution.Runs;

/// <summary>The bytes and arguments of a run's commands while the run waits.</summary>
internal sealed unsafe class RunInput : IDisposable
{
    /// <summary>Nothing yet; memory is charged to a budget.</summary>
    public RunInput(MemoryBudget budget)
    {
        Bytes = new TakenInput(budget);
        Arguments = new ArgumentBuffer(budget);
    }

    /// <summary>The bytes.</summary>
    public TakenInput Bytes { get; }

    /// <summary>The arguments, counted as <see cref="RunEntry.FirstArgument"/> does.</summary>
    public ArgumentBuffer Arguments { get; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => Bytes.ChargedBytes + Arguments.ChargedBytes;

    /// <summary>Takes the commands of the entries, which from here on lie here.</summary>
    /// <param name="entries">At least one; they lie behind each other.</param>
    /// <param name="arguments">Their arguments.</param>
    /// <param name="movable">Memory whose pages may be moved, if there is some.</param>
    public void Take(Span<RunEntry> entries, ArgumentBuffer arguments, MappedMemory? movable)
    {
        var first = entries[0].Start;
        Bytes.MakeRoom(first, entries[^1].Start + entries[^1].Length - first, movable);
        foreach (ref var entry in entries)
        {
            var firstArgument = Arguments.Count;
            for (var i = 0; i < entry.ArgumentCount; i++)
            {
                var argument = arguments.At(entry.FirstArgument + i);
                Arguments.Add(argument->Offset, argument->Length);
            }

            var start = Bytes.Take(entry.Start, entry.Length);
            entry.FirstArgument = firstArgument;
            entry.Key = entry.Key.At(start + (entry.Key.Pointer - entry.Start));
            entry.Start = start;
        }
    }

    /// <summary>Forgets the commands, and gives all memory back.</summary>
    public void Free()
    {
        Arguments.Free();
        Bytes.Free();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Bytes.Dispose();
        Arguments.Dispose();
    }
}
