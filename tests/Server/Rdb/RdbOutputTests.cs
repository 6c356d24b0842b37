using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Rdb;

/// <summary>What an output takes beside the bytes in it.</summary>
[TestFixture]
internal sealed class RdbOutputTests
{
    /// <summary>Hundreds wait for the disk while a snapshot is written: what each took of the runtime's memory, which
    /// no budget counts, would be as much as what is in them.</summary>
    [Test]
    public void Packing_takes_no_memory_of_each_output()
    {
        const int Outputs = 200;
        const int MostBytesOfEach = 1024;
        var budget = new MemoryBudget();
        var value = new byte[1000];
        using (var first = new RdbOutput(budget))
        {
            first.WriteString(value, compresses: true); // The thread's own table is made.
            Assert.That(first.Length, Is.LessThan(value.Length / 10));
        }

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Outputs; i++)
        {
            using var output = new RdbOutput(budget);
            output.WriteString(value, compresses: true);
        }

        Assert.That(
            (GC.GetAllocatedBytesForCurrentThread() - before) / Outputs, Is.LessThan(MostBytesOfEach));
    }
}
