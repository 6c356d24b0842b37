using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Log;

[TestFixture]
internal sealed unsafe class RecordLogTests
{
    private const int PageBits = 14;

    private TestLog _test = null!;

    [SetUp]
    public void Open() => _test = new TestLog(PageBits);

    [TearDown]
    public void Close()
    {
        _test.Dispose();
        Assert.That(_test.Budget.UsedBytes, Is.Zero);
        Assert.That(_test.Budget.RetiredBytes, Is.Zero);
    }

    /// <summary>Whatever bytes a reader without the lease finds in a header, what it gets lies in the page.</summary>
    [Test]
    public void A_torn_header_never_leads_out_of_the_page()
    {
        var random = new Random(5);
        var spec = new RecordSpec(_test.Keys.Make("key"), RecordType.String, expiryMs: 5);
        for (var i = 0; i < 400; i++)
        {
            var record = _test.Log.Append(PageKind.Probation, spec, 20, capacity: 0);
            var page = (byte*)record.Header - _test.Log.OffsetOf(record.Address);
            for (var attempt = 0; attempt < 200; attempt++)
            {
                const int HeadBytes = RecordHeader.Bytes + RecordHeader.ExpiryBytes + RecordHeader.WideBytes;
                var torn = new Span<byte>(record.Header, HeadBytes);
                random.NextBytes(torn);
                foreach (ref var b in torn)
                {
                    b &= random.Next(2) == 0 ? (byte)0 : byte.MaxValue; // Small lengths, too, which may pass.
                }

                if (_test.Log.TryOpen(record.Address, out var opened))
                {
                    var end = opened.KeyPointer + opened.KeyLength + opened.ValueLength;
                    Assert.That(end <= page + (1 << PageBits), Is.True);
                }
            }
        }
    }

    [Test]
    public void Opens_nothing_at_addresses_out_of_range()
    {
        _ = _test.Log.Append(PageKind.Main, new RecordSpec(_test.Keys.Make("key"), RecordType.String, -1), 10, 0);
        foreach (var address in (ulong[])[0, 1, (1UL << 40) - 1, 1UL << (PageBits - RecordHeader.AlignmentBits + 4)])
        {
            Assert.That(_test.Log.TryOpen(address, out _), Is.False);
        }
    }

    [Test]
    public void Memory_of_a_dead_page_waits_for_the_readers()
    {
        _test.Quiescence.BeginReads(1);
        var spec = new RecordSpec(_test.Keys.Make("key"), RecordType.String, -1);
        var record = _test.Log.Append(PageKind.Probation, spec, 100_000, 0);
        record.MutableValue.Fill(7);
        var used = _test.Budget.UsedBytes;
        _test.Log.Forget(record);
        _test.Log.Reclaim(worker: 0, int.MaxValue);
        Assert.That(_test.Log.HasRetired, Is.True);
        Assert.That(_test.Budget.UsedBytes, Is.EqualTo(used));
        Assert.That(_test.Budget.RetiredBytes, Is.EqualTo(_test.Log.RetiredBytes).And.GreaterThan(100_000));
        Assert.That(record.Value.ContainsAnyExcept((byte)7), Is.False, "a reader may still copy it");
        _test.Quiescence.BeginReads(1);
        _test.Log.Reclaim(worker: 0, int.MaxValue);
        Assert.That(_test.Log.HasRetired, "the reader goes on with what it began");
        _test.Quiescence.EndReads(1);
        _test.Quiescence.BeginReads(1);
        _test.Log.Reclaim(worker: 0, int.MaxValue);
        Assert.That(_test.Log.HasRetired, Is.False);
        Assert.That(_test.Budget.UsedBytes, Is.LessThan(used - 100_000));
    }

    [TestCase(0, 1)]
    [TestCase(65_534, 3)]
    [TestCase(65_535, 3)]
    [TestCase(70_000, 0)]
    public void Keeps_keys_of_any_length(int keyLength, int valueLength)
    {
        var key = _test.Keys.Make(1, keyLength, database: 3);
        foreach (var expiryMs in (long[])[-1, 0, long.MaxValue])
        {
            var spec = new RecordSpec(key, RecordType.Hash, expiryMs);
            var address = _test.Log.Append(PageKind.Main, spec, valueLength, capacity: 9).Address;
            var record = _test.Log.Open(address);
            Assert.That(record.HasKey(key), Is.True);
            Assert.That(record.Type, Is.EqualTo(RecordType.Hash));
            Assert.That(record.ExpiryMs, Is.EqualTo(expiryMs));
            Assert.That(record.ValueLength, Is.EqualTo(valueLength));
            Assert.That(record.ValueCapacity, Is.GreaterThanOrEqualTo(9));
        }
    }

    /// <summary>With and without an expiry, which stands before the key, and whatever place the bytes come from.
    /// </summary>
    [Test]
    public void A_record_whose_value_is_moved_stands_where_pages_can_be_moved_to(
        [Values("k", "a longer key")] string name, [Values(-1, 5)] long expiryMs, [Values(0, 8, 16, 4088)] int shift)
    {
        const int Length = 100_000;
        using var memory = MappedMemory.TryMap(Length + 8192)!;
        var key = _test.Keys.Make(name);
        var phase = (RecordAlignment.ValuePhase(key.Length, hasChecksum: false) + shift) % MappedMemory.PageBytes;
        var spec = new RecordSpec(key, RecordType.String, expiryMs) { MovedFrom = memory.Start + phase };

        var record = _test.Log.Append(PageKind.Probation, spec, Length, capacity: 0);

        var value = record.KeyPointer + record.KeyLength;
        Assert.That(PageMove.PhaseOf(value), Is.EqualTo(phase));
        var offset = 0L;
        Assert.That(_test.Log.TryWalk(_test.Log.PageOf(record.Address), ref offset, out var walked), Is.True);
        Assert.That(walked.Address, Is.EqualTo(record.Address));
        Assert.That(_test.Log.TryWalk(_test.Log.PageOf(record.Address), ref offset, out _), Is.False);
        _test.Log.Forget(record);
        Assert.That(_test.Log.GarbageBytes, Is.Zero);
    }
}
