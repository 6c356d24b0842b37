using System.Diagnostics;
using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics.Traffic;

namespace Strata.Tests.Server.Diagnostics.Traffic;

/// <summary>What workers note of keys, against what was counted exactly. Clock and chance are the test's.</summary>
[TestFixture]
internal sealed class KeyTrafficTests
{
    private const int Keys = 100_000;
    private const int Run = 30;
    private const int PerSecond = 200_000;
    private const int SmallBytes = 100;

    private static readonly long s_second = Stopwatch.Frequency;

    private KeyNames _names = null!;
    private Random _random = null!;
    private KeyTraffic[] _workers = null!;
    private long _now;
    private double _accesses;

    [SetUp]
    public void Begin()
    {
        _names = new KeyNames("key:", Keys);
        _random = new Random(7);
        _now = s_second;
        _workers = [.. Enumerable.Range(1, 2).Select(seed => new KeyTraffic(new Random(seed), 256, _now))];
        _accesses = 0;
    }

    [TearDown]
    public void End() => _names.Dispose();

    /// <summary>Rates, and what is told of how far they may be off: nineteen of twenty are within.</summary>
    [Test]
    public void The_hottest_keys_of_zipf_traffic_are_told_with_their_rates([Values(0.9, 1.1, 1.3)] double skew)
    {
        var zipf = new ZipfNumbers(Keys, skew);
        Use(seconds: 120, () => zipf.Next(_random));
        var list = new HotKeyList(_workers, HotKeyMeasure.Reads, _now);
        Assert.That(list.TotalPerSecond, Is.EqualTo(PerSecond).Within(1).Percent);
        Assert.That(
            list.Keys.Take(8).Select(static key => NumberOf(key)), Is.EquivalentTo(Enumerable.Range(0, 8)),
            "neighbours may have changed places, but not by much");
        var within = 0;
        for (var i = 0; i < 20; i++)
        {
            var key = list.Keys[i];
            var truth = PerSecond * zipf.PartOf(NumberOf(key));
            Assert.That(i > 7 || Math.Abs(key.PerSecond - truth) < 0.15 * truth, $"{i}");
            within += truth >= key.AtLeast && truth <= key.AtMost ? 1 : 0;
        }

        Assert.That(within, Is.GreaterThanOrEqualTo(18));
    }

    [Test]
    public void What_was_hot_is_forgotten_by_halves()
    {
        Use(seconds: 60, () => 1);
        Use(seconds: (int)TrafficLimits.HotKeyHalfLife.TotalSeconds, () => 2);
        var keys = new HotKeyList(_workers, HotKeyMeasure.Reads, _now).Keys;
        Assert.That(keys.Select(static key => NumberOf(key)), Is.EqualTo(new[] { 2, 1 }));
        Assert.That(keys[0].PerSecond, Is.EqualTo(PerSecond * 2 / 3.0).Within(3).Percent);
        Assert.That(keys[1].PerSecond, Is.EqualTo(PerSecond / 3.0).Within(3).Percent);
        _now += 1_000_000 * s_second;
        Assert.That(
            new HotKeyList(_workers, HotKeyMeasure.Reads, _now).TotalPerSecond, Is.LessThan(1e-6), "days after");
        Use(seconds: 10, () => 3);
        keys = new HotKeyList(_workers, HotKeyMeasure.Reads, _now).Keys;
        Assert.That(NumberOf(keys[0]), Is.EqualTo(3));
        Assert.That(keys[0].PerSecond, Is.EqualTo(PerSecond * (1 - Math.Pow(2, -1 / 6.0))).Within(3).Percent);
    }

    /// <summary>A key is hot by its bytes though it is seldom used.</summary>
    [Test]
    public void Bytes_are_counted_for_who_has_them()
    {
        const int Large = 200_000;
        const int Huge = 5_000_000;
        for (var i = 0; i < 600_000; i++)
        {
            var bytes = i % 1000 == 0 ? Large : i % 100_000 == 7 ? Huge : SmallBytes;
            var number = bytes == Large ? 1 : bytes == Huge ? 2 : 10 + _random.Next(1000);
            Note(_workers[0], [number], [bytes]);
            _now += s_second / 10_000;
        }

        var list = new HotKeyList(_workers, HotKeyMeasure.Bytes, _now);
        Assert.That(list.Keys.Take(2).Select(static key => NumberOf(key)), Is.EqualTo(new[] { 1, 2 }));
        Assert.That(list.Keys[0].PerSecond, Is.EqualTo(10.0 * Large).Within(10).Percent);
        Assert.That(list.Keys[1].PerSecond, Is.EqualTo(0.1 * Huge).Within(30).Percent, "one each ten seconds");
        Assert.That(list.TotalPerSecond, Is.EqualTo((10.0 * Large) + (0.1 * Huge) + 1e6).Within(10).Percent);
    }

    [Test]
    public void Reads_and_writes_are_told_apart()
    {
        for (var i = 0; i < 100_000; i++)
        {
            Note(_workers[i % 2], [i % 3], [SmallBytes], isWrite: i % 3 == 0);
            _now += s_second / 1000;
        }

        var writes = new HotKeyList(_workers, HotKeyMeasure.Writes, _now);
        Assert.That(writes.Keys.Select(static key => NumberOf(key)), Is.EqualTo(new[] { 0 }));
        Assert.That(writes.TotalPerSecond, Is.EqualTo(1000 / 3.0).Within(15).Percent);
        Assert.That(writes.Keys[0].AtLeast, Is.LessThan(1000 / 3.0));
        Assert.That(writes.Keys[0].AtMost, Is.GreaterThan(1000 / 3.0));
    }

    [Test]
    public void Its_memory_is_bounded()
    {
        foreach (var workers in (int[])[1, 2, 8, 64, 256])
        {
            var bytes = (long)workers * KeyTraffic.BytesFor(TrafficLimits.HotKeysPerWorker(workers));
            Assert.That(bytes, Is.LessThan(workers <= 64 ? 1 << 20 : 4 << 20), $"{workers} workers");
        }
    }

    private static int NumberOf(HotKey key)
        => int.Parse(Encoding.ASCII.GetString(key.Bytes)["key:".Length..], CultureInfo.InvariantCulture);

    /// <summary>Reads of keys in runs, dealt out to the workers.</summary>
    private void Use(int seconds, Func<int> draw)
    {
        var numbers = new int[Run];
        var bytes = new int[Run];
        Array.Fill(bytes, SmallBytes);
        for (var end = _accesses + ((double)seconds * PerSecond); _accesses < end; _accesses += Run)
        {
            for (var i = 0; i < Run; i++)
            {
                numbers[i] = draw();
            }

            Note(_workers[_random.Next(2)], numbers, bytes);
            _now += s_second * Run / PerSecond;
        }
    }

    private void Note(KeyTraffic worker, int[] numbers, int[] bytes, bool isWrite = false)
    {
        var sum = bytes.Sum();
        if (worker.Passes(numbers.Length, sum))
        {
            return;
        }

        worker.Begin(_now);
        while (worker.TryDraw(numbers.Length, stride: 1, out var drawn))
        {
            worker.NoteAccess(_names[numbers[drawn]], isWrite, stride: 1);
        }

        if (worker.TryRecount(sum))
        {
            for (var i = 0; i < numbers.Length; i++)
            {
                worker.NoteBytes(_names[numbers[i]], bytes[i]);
            }
        }

        worker.End();
    }
}
