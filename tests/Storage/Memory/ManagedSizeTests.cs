using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

[TestFixture]
internal sealed class ManagedSizeTests
{
    [Test]
    public void Is_what_the_runtime_takes()
    {
        for (var length = 1; length < 100; length++)
        {
            Assert.That(ManagedSize.OfString(length), Is.EqualTo(Taken(() => new string('x', length))));
            Assert.That(ManagedSize.OfArray(length, sizeof(byte)), Is.EqualTo(Taken(() => new byte[length])));
            Assert.That(ManagedSize.OfArray(length), Is.EqualTo(Taken(() => new object[length])));
        }

        Assert.That(ManagedSize.OfObject(0), Is.EqualTo(Taken(static () => new object())));
        Assert.That(ManagedSize.OfObject(20), Is.EqualTo(Taken(static () => new Fields())));
    }

    private static long Taken(Func<object> make)
    {
        _ = make();
        var before = GC.GetAllocatedBytesForCurrentThread();
        var made = make();
        var taken = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(made);
        return taken;
    }

    private sealed class Fields
    {
        public object? First { get; init; }

        public object? Second { get; init; }

        public int Third { get; init; }
    }
}
