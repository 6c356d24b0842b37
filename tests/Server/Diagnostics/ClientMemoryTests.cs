using NUnit.Framework;
using Strata.Server.Diagnostics;

namespace Strata.Tests.Server.Diagnostics;

internal sealed class ClientMemoryTests
{
    [Test]
    public void The_largest_of_the_last_eight_looks_is_remembered()
    {
        var memory = new ClientMemory();
        Look(memory, (10, 20, 40), (30, 5, 50));
        Assert.That((memory.LargestInputBytes, memory.LargestOutputBytes), Is.EqualTo((30L, 20L)));
        Assert.That(memory.TotalBytes, Is.EqualTo(90));
        for (var i = 0; i < 7; i++)
        {
            Look(memory, (1, 2, 3));
        }

        Assert.That((memory.LargestInputBytes, memory.LargestOutputBytes), Is.EqualTo((30L, 20L)));
        Assert.That(memory.TotalBytes, Is.EqualTo(3));
        Look(memory);
        Assert.That((memory.LargestInputBytes, memory.LargestOutputBytes), Is.EqualTo((1L, 2L)));
        Assert.That(memory.TotalBytes, Is.Zero);
    }

    private static void Look(ClientMemory memory, params (long Input, long Output, long Total)[] clients)
    {
        memory.Begin();
        foreach (var (input, output, total) in clients)
        {
            memory.Add(input, output, total);
        }

        memory.End();
    }
}
