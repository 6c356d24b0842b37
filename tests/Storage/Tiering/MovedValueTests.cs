using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Devices;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;
using Strata.Storage.Strings;
using Strata.Storage.Tiering;
using Strata.Tests.Storage.Index;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Tiering;

/// <summary>A large value whose record gives way to another takes memory once, wherever it is: what was there reads as
/// zeros as soon as it has moved.</summary>
[TestFixture(PageKind.Probation)]
[TestFixture(PageKind.Writing)]
[TestFixture(PageKind.Clean)]
[TestFixture(PageKind.Cold)]
internal sealed unsafe class MovedValueTests(PageKind kind)
{
    private const int SmallerBytes = 1 << 20;

    private static readonly int s_largeBytes = (int)PageMove.LeastBytes + 12_345;

    private MemoryDevice _device = null!;
    private TieredShard _test = null!;
    private Key _key;
    private byte[] _value = null!;

    [SetUp]
    public void Open()
    {
        _device = new MemoryDevice(segmentBytes: 1 << 22);
        _device.Initialize();
        _test = new TieredShard(_device, limitBytes: 0);
        _key = _test.Keys.Make(1, length: 12);
    }

    [TearDown]
    public void Close()
    {
        _test.Quiesce();
        _test.Audit();
        _test.Dispose();
        _device.Dispose();
    }

    [Test]
    public void When_it_grows()
    {
        const int Added = 100_000;
        Fill(s_largeBytes);
        Change((shard, key, record) =>
        {
            var editor = new StringEditor(shard, key, record);
            editor.Resize(s_largeBytes + Added);
            editor.End(TestChange.Any);
            Assert.That(editor.Value[s_largeBytes..].IndexOfAnyExcept((byte)0), Is.EqualTo(-1));
        });
        Array.Resize(ref _value, s_largeBytes + Added);
        Check(_key);
    }

    [Test]
    public void When_it_gets_a_time_to_live([Values] bool isLarge)
    {
        Fill(isLarge ? s_largeBytes : SmallerBytes);
        Change((shard, key, record) => shard.SetExpiry(key, record, _test.NowMs + 1000, TestChange.Any), !isLarge);
        Check(_key);
    }

    [Test]
    public void When_it_gets_another_key([Values] bool isLarge)
    {
        Fill(isLarge ? s_largeBytes : SmallerBytes);
        using var keys = new NativeKeys();
        var other = keys.Make(2, length: 13);
        Change(
            (shard, key, record) => RecordTransfer.Move(
                shard, key, record, shard, other, default, TestChange.Any, TestChange.Any),
            !isLarge);
        Check(other);
    }

    /// <summary>As long as there is memory what need not be moved is copied, which takes less time.</summary>
    [Test]
    public void Only_if_it_is_large_or_memory_is_short()
    {
        Fill(SmallerBytes);
        Assert.That(_test.Execute(_key, (shard, key, record) =>
        {
            var old = new ReadOnlySpan<byte>(record.ValuePointer, record.ValueLength);
            _ = shard.SetExpiry(key, record, _test.NowMs + 1000, TestChange.Any);
            Assert.That(old.SequenceEqual(_value));
        }), Is.EqualTo(ColdReadFailure.None));
        Check(_key);
    }

    /// <summary>Puts a value into the store, and into a page of the kind.</summary>
    private void Fill(int length)
    {
        _value = new byte[length];
        new Random(length).NextBytes(_value);
        var spec = new RecordSpec(_key, RecordType.String, expiryMs: -1);
        var address = _test.Shard.Put(_key, default, spec, _value, TestChange.Any).Address;
        for (var i = 0; _test.Shard.Log.KindOf(address) != kind; i++)
        {
            Assert.That(i, Is.LessThan(1000), "it gets there");
            if (_test.Shard.Log.KindOf(address) != PageKind.Writing)
            {
                _ = _test.Shard.TryGiveUp(0, _test.NowMs);
            }
            else
            {
                _test.Settle(_test.Shard);
            }
        }
    }

    private void Change(Action<Shard, Key, Record> action, bool isShort = false)
        => Assert.That(_test.Execute(_key, (shard, key, record) =>
        {
            var budget = _test.Budget;
            budget.LimitBytes = isShort ? budget.UsedBytes : 0;
            var charged = isShort ? budget.BytesBeyondLimit() : 0;
            budget.Charge(charged);
            var start = record.ValuePointer;
            var length = record.ValueLength;
            action(shard, key, record);
            var left = new ReadOnlySpan<byte>(start, length)[(2 * PageMove.KeptBytes)..^PageMove.KeptBytes];
            Assert.That(left.Count((byte)0), Is.GreaterThan(left.Length - (2 * PageMove.KeptBytes)));
            budget.Charge(-charged);
            budget.LimitBytes = 0;
        }), Is.EqualTo(ColdReadFailure.None));

    private void Check(in Key key)
        => Assert.That(_test.Execute(key, (_, _, record) => Assert.That(record.Value.SequenceEqual(_value))),
            Is.EqualTo(ColdReadFailure.None));
}
