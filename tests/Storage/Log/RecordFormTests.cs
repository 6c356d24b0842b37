using NUnit.Framework;
using Strata.Storage.Log;

namespace Strata.Tests.Storage.Log;

/// <summary>The two forms of a record: what is written is read again, whatever its lengths, and most need little.
/// </summary>
internal sealed unsafe class RecordFormTests
{
    private const int PageBits = 16;

    private TestLog _test = null!;

    [OneTimeSetUp]
    public void Open() => _test = new TestLog(PageBits);

    [OneTimeTearDown]
    public void Close() => _test.Dispose();

    /// <summary>The lengths at which a record is as long as a compact one can be, and those behind them.</summary>
    [Test]
    public void What_is_written_is_read_again(
        [Values(0, 13, 127, 128, 300)] int keyLength, [Values(0, 100, 1_900, 2_024, 2_037, 30_000)] int valueLength)
    {
        foreach (var room in (int[])[0, 60, 63, 64, 5_000])
        {
            foreach (var database in (byte[])[0, 3, 255])
            {
                Write(keyLength, valueLength, room, database, expiryMs: -1);
                Write(keyLength, valueLength, room, database, expiryMs: 1_700_000_000_123);
            }
        }
    }

    [TestCase(13, 100, 0, -1, 120)]
    [TestCase(13, 101, 0, -1, 124)]
    [TestCase(13, 99, 3, -1, 120)]
    [TestCase(13, 100, 0, 5, 128)]
    [TestCase(0, 0, 0, -1, 8)]
    [TestCase(127, 1_910, 0, -1, 2_044)]
    [TestCase(127, 1_911, 0, -1, 2_060)]
    [TestCase(128, 100, 200, -1, 248)]
    public void A_record_takes_so_many_bytes(
        int keyLength, int valueLength, int database, long expiryMs, int bytes)
    {
        var key = _test.Keys.Make(new string('k', keyLength), (byte)database);
        var record = _test.Log.Append(
            PageKind.Main, new RecordSpec(key, RecordType.String, expiryMs), valueLength, capacity: 0);
        Assert.That(record.SizeBytes, Is.EqualTo(bytes));
        _test.Log.Forget(record);
    }

    /// <summary>Whatever the header can tell a record can hold, and what it can't is not said.</summary>
    [TestCase(200, 137, true)]
    [TestCase(200, 136, false)]
    [TestCase(200, 200, true)]
    [TestCase(200, 204, false)]
    [TestCase(3_000, 0, true)]
    [TestCase(3_000, 3_004, false)]
    public void A_value_changes_its_length_in_place(int length, int other, bool canHold)
    {
        var spec = new RecordSpec(_test.Keys.Make("k"), RecordType.String, expiryMs: -1);
        var record = _test.Log.Append(PageKind.Main, spec, length, capacity: 0);
        Assert.That(record.CanHold(other), Is.EqualTo(canHold));
        if (canHold)
        {
            var size = record.SizeBytes;
            Assert.That(_test.Log.SetValueLength(record, other).ValueLength, Is.EqualTo(other));
            Assert.That(_test.Log.Open(record.Address).ValueLength, Is.EqualTo(other));
            Assert.That(_test.Log.Open(record.Address).SizeBytes, Is.EqualTo(size));
        }

        _test.Log.Forget(_test.Log.Open(record.Address));
    }

    /// <summary>A page that was read from a device may be damaged: a walk comes to its end all the same.</summary>
    [TestCase(64, 64, 128)]
    [TestCase(64, 100, 64)]
    [TestCase(0, 64, 0)]
    public void What_is_left_free_is_gone_over(int first, int second, int end)
    {
        const int UsedBytes = 160;
        var page = stackalloc byte[UsedBytes];
        new Span<byte>(page, UsedBytes).Clear();
        ((RecordHeader*)page)->SetFiller(first);
        ((RecordHeader*)(page + 64))->SetFiller(second);
        var offset = 0L;
        Record.SkipFiller(page, UsedBytes, ref offset);
        Assert.That(offset, Is.EqualTo(end));
    }

    private void Write(int keyLength, int valueLength, int room, byte database, long expiryMs)
    {
        var name = new string('k', keyLength);
        var spec = new RecordSpec(_test.Keys.Make(name, database), RecordType.Hash, expiryMs, RecordFlags.Decimal);
        var written = _test.Log.Append(PageKind.Main, spec, valueLength, valueLength + room);
        written.MutableValue.Fill(7);
        var record = _test.Log.Open(written.Address);
        Assert.That(record.Key.Length, Is.EqualTo(keyLength));
        Assert.That(record.Key.ContainsAnyExcept((byte)'k'), Is.False);
        Assert.That(record.Value.Length, Is.EqualTo(valueLength));
        Assert.That(record.Value.ContainsAnyExcept((byte)7), Is.False);
        Assert.That(record.Database, Is.EqualTo(database));
        Assert.That(record.ExpiryMs, Is.EqualTo(expiryMs));
        Assert.That(record.Type, Is.EqualTo(RecordType.Hash));
        Assert.That(record.Flags & ~RecordFlags.Form & ~RecordFlags.HasExpiry, Is.EqualTo(RecordFlags.Decimal));
        Assert.That(record.HasKey(_test.Keys.Make(name, database)));
        Assert.That(record.HasKey(_test.Keys.Make(name, (byte)(database ^ 1))), Is.False);
        Assert.That(record.IsDead, Is.False);
        var least = valueLength + room;
        Assert.That(record.ValueCapacity, Is.InRange(least, least + RecordHeader.Alignment - 1));
        Assert.That(record.SizeBytes, Is.EqualTo(record.ValuePointer - (byte*)record.Header + record.ValueCapacity));
        _test.Log.Forget(record);
        Assert.That(record.IsDead);
    }
}
