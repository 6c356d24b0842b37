using NUnit.Framework;
using Strata.Storage.Collections;

namespace Strata.Tests.Storage.Collections;

[TestFixture]
internal sealed unsafe class LineArrayTests
{
    /// <summary>Beyond 8,192 lines there are three pages.</summary>
    [TestCase(1)]
    [TestCase(16)]
    [TestCase(17)]
    [TestCase(4096)]
    [TestCase(4097)]
    [TestCase(9000)]
    public void Keeps_its_lines_while_it_grows_and_shrinks(int top)
    {
        using var heap = new TestHeap();
        var array = default(LineArray);
        for (var round = 0; round < 2; round++)
        {
            for (var i = 0; i < top; i++)
            {
                array.Add(heap.Heap);
                Assert.That((long)array.At((uint)i) % LineArray.LineBytes, Is.Zero);
                Assert.That(new ReadOnlySpan<ulong>(array.At((uint)i), 8).ContainsAnyExcept(0UL), Is.False);
                new Span<ulong>(array.At((uint)i), 8).Fill((ulong)i + 1);
            }

            Assert.That(array.SizeBytes, Is.EqualTo(heap.Heap.UsedBytes));
            for (var i = top - 1; i >= 0; i--)
            {
                Assert.That(new ReadOnlySpan<ulong>(array.At((uint)i), 8).ContainsAnyExcept((ulong)i + 1), Is.False);
                array.RemoveLast(heap.Heap);
            }

            Assert.That(array.SizeBytes, Is.Zero);
            Assert.That(heap.Heap.UsedBytes, Is.Zero);
        }
    }
}
