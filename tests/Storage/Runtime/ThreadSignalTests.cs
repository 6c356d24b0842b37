using NUnit.Framework;
using Strata.Storage.Runtime;

namespace Strata.Tests.Storage.Runtime;

[TestFixture]
internal sealed class ThreadSignalTests
{
    private const int ForEver = -1;

    [Test]
    public void A_signal_ends_the_next_sleep_and_no_other()
    {
        using var signal = new ThreadSignal();
        signal.Set();
        signal.Set();
        signal.Wait(ForEver);
        signal.Wait(0);
        signal.Wait(1); // These end by their time.
        signal.Set();
        signal.Wait(ForEver);
    }

    [Test]
    public void No_signal_is_lost_between_two_threads()
    {
        const int Rounds = 20_000;
        using var there = new ThreadSignal();
        using var back = new ThreadSignal();
        var thrown = 0;
        var caught = 0;
        var other = new Thread(() =>
        {
            for (var i = 1; i <= Rounds; i++)
            {
                while (Volatile.Read(ref thrown) < i)
                {
                    there.Wait(ForEver);
                }

                Volatile.Write(ref caught, i);
                back.Set();
            }
        });
        other.Start();
        for (var i = 1; i <= Rounds; i++)
        {
            Volatile.Write(ref thrown, i);
            there.Set();
            while (Volatile.Read(ref caught) < i)
            {
                back.Wait(ForEver);
            }
        }

        other.Join();
        Assert.That(caught, Is.EqualTo(Rounds));
    }
}
