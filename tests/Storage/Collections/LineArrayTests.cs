using FsCheck.Fluent;
using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections;

[TestFixture]
internal sealed unsafe class LineArrayTests
{
    /// <summary>More than a million lines are added and taken away.</summary>
    [Test]
    public void Keeps_its_lines_while_it_grows_and_shrinks()
    {
        var steps = 0L;
        ModelCheck.Run(
            LengthOperation.Generator().ArrayOf(20), count: 40, operations => steps += Replay(operations));
        Assert.That(steps, Is.GreaterThan(1_000_000));
    }

    private static long Replay(LengthOperation[] operations)
    {
        using var test = new TestHeap();
        var array = default(LineArray);
        var marks = new List<ulong>();
        var steps = 0L;
        foreach (var lines in operations.Select(operation => operation.Lines).Append(0))
        {
            steps += Math.Abs(lines - marks.Count);
            while (marks.Count < lines)
            {
                Add(test.Heap, ref array, marks, mark: (ulong)(steps + marks.Count));
            }

            while (marks.Count > lines)
            {
                array.RemoveLast(test.Heap);
                marks.RemoveAt(marks.Count - 1);
            }

            Assert.That(array.Count, Is.EqualTo(lines));
            Assert.That(array.SizeBytes, Is.EqualTo(test.Heap.UsedBytes));
            CheckAll(array, marks);
        }

        Assert.That(test.Heap.UsedBytes, Is.Zero, "bytes left in the heap");
        return steps;
    }

    private static void Add(SlabHeap heap, ref LineArray array, List<ulong> marks, ulong mark)
    {
        array.Add(heap);
        var line = array.At((uint)marks.Count);
        if ((long)line % LineArray.LineBytes != 0 || !Holds(array, marks.Count, mark: 0))
        {
            Assert.Fail($"line {marks.Count} is new and not aligned or not empty");
        }

        new Span<ulong>(line, 8).Fill(mark);
        marks.Add(mark);
    }

    private static void CheckAll(in LineArray array, List<ulong> marks)
    {
        for (var line = 0; line < marks.Count; line++)
        {
            if (!Holds(array, line, marks[line]))
            {
                Assert.Fail($"line {line} of {marks.Count}");
            }
        }
    }

    private static bool Holds(in LineArray array, int line, ulong mark)
        => !new ReadOnlySpan<ulong>(array.At((uint)line), 8).ContainsAnyExcept(mark);
}
