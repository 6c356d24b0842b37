using System.Diagnostics;
using NUnit.Framework;
using Strata.Server.Diagnostics;

namespace Strata.Tests.Server.Diagnostics;

[TestFixture]
internal sealed class RateMeterTests
{
    [Test]
    public void A_rate_is_that_of_the_last_samples()
    {
        var meter = new RateMeter();
        Assert.That(meter.CommandsPerSecond, Is.Zero);

        // 10 samples a second; 100 commands between two of the first fifty, 5 between two of the others.
        var commands = 0;
        for (var i = 0; i < 100; i++)
        {
            commands += i < 50 ? 100 : 5;
            meter.Add(new RateMeter.Sample
            {
                Timestamp = i * Stopwatch.Frequency / 10,
                Commands = commands,
                SentBytes = i,
            });
        }

        Assert.That(meter.CommandsPerSecond, Is.EqualTo(50).Within(0.001));
        Assert.That(meter.SentBytesPerSecond, Is.EqualTo(10).Within(0.001));
        Assert.That(meter.TurnsPerSecond, Is.Zero);
    }
}
