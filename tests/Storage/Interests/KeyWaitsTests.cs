using NUnit.Framework;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Interests;
using Strata.Storage.Log;
using Strata.Tests.Storage.Index;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Interests;

/// <summary>However many wait for a key, or hold it, a change finds at once those whom it concerns; who is woken is
/// told by lists that say it.</summary>
public sealed class KeyWaitsTests
{
    private const int Many = 1000;
    private const int Steps = 20_000;
    private const int Keys = 6;
    private const int Groups = 3;

    [TestCase(RecordType.SortedSet, 0UL)]
    [TestCase(RecordType.Stream, 0UL)]
    [TestCase(RecordType.Stream, 7UL)]
    public void A_change_does_not_go_over_those_whom_it_does_not_concern(RecordType type, ulong group)
    {
        using var test = new TestShard();
        var key = test.Keys.Make(0, 12);
        var waits = test.Shard.Waits;
        var waiters = Enumerable.Range(0, Many).Select(_ => new Waiter(type, group, [])).ToList();
        waiters.ForEach(waiter => waiter.Enter(key, waits));
        waiters.ForEach(waiter => waiter.Asked = 0);
        Put(test, key, RecordType.String, KeyEvent.Set);
        var ofGone = group == 0 ? 0 : 1; // That there is no stream of that name concerns all groups.
        Assert.That(waiters.Select(waiter => waiter.Woken), Is.All.EqualTo(ofGone));
        waiters.ForEach(waiter => waiter.Interest!.EndTurn());
        waiters.ForEach(waiter => waiter.Asked = 0);
        Assert.That(test.Delete(key), Is.True);
        Assert.That(waits.FirstFor(key, RecordType.List), Is.Null);
        Assert.That(waits.FirstFor(key, RecordType.Stream), group == 0 ? Is.Null : Is.SameAs(waiters[0].Interest));
        Assert.That(waits.FirstOfGroups(key, null), group == 0 ? Is.Null : Is.SameAs(waiters[0].Interest));
        Assert.That(waits.IsHeld(key, this, out _), Is.False);
        Put(test, key, type, KeyEvent.ZAdd);
        Assert.That(waiters.Sum(waiter => waiter.Asked), Is.LessThan(10 + (group == 0 ? 0 : 10 * Many)));
        waiters.ForEach(waiter => waiter.Asked = 0);
        for (var left = Many - 1; left >= 0; left--)
        {
            waiters[left].Interest!.Leave();
        }

        Assert.That(waiters.Sum(waiter => waiter.Asked), Is.LessThan(20 * Many));
        Assert.That(waits.Count + waits.Keys + waits.KeysOfGroups, Is.Zero);
    }

    [TestCase(0UL)]
    [TestCase(7UL)]
    public void Who_was_woken_and_has_not_looked_is_not_woken_again_by_the_same_author(ulong group)
    {
        using var test = new TestShard();
        var key = test.Keys.Make(0, 12);
        var (author, other) = (new Author(), new Author());
        var waiter = new Waiter(RecordType.Stream, group, []);
        waiter.Enter(key, test.Shard.Waits);
        Put(test, key, RecordType.Stream, KeyEvent.XAdd, author); // That it is new is told apart.
        var woken = waiter.Woken;
        for (var change = 0; change < Many; change++)
        {
            Put(test, key, RecordType.Stream, KeyEvent.XAdd, author);
        }

        Assert.That(waiter.Woken, Is.EqualTo(woken));
        Put(test, key, RecordType.Stream, KeyEvent.XAdd, other);
        Assert.That(waiter.Woken, Is.EqualTo(++woken), "another one is to wait for it, too");
        waiter.Interest!.EndTurn();
        Put(test, key, RecordType.Stream, KeyEvent.XAdd, other);
        Assert.That(waiter.Woken, Is.EqualTo(++woken), "it has looked");
        waiter.Interest!.Leave();
    }

    [Test]
    public void Each_who_holds_a_key_is_told_of_its_change_and_does_not_wait_for_itself([Values] bool byHash)
    {
        using var test = new TestShard();
        using var names = new NativeKeys(capacity: 12);
        var (key, another) = (test.Keys.Make(0, 12), names.Make(1, 12));
        var waits = test.Shard.Waits;
        var holders = Enumerable.Range(0, 4).Select(_ => new object()).ToArray();
        Assert.That(waits.IsHeld(key, holders[0], out _), Is.False);
        var holds = holders.Select(_ => new KeyHold()).ToArray();
        var held = holders.Zip(holds, (holder, hold) => byHash
            ? new HeldKeys(key, holder, owner: null!, hold)
            : new HeldKey(key, holder, owner: null!, hold)).ToArray();
        Array.ForEach(held[..2], one => one.Enter(waits));
        Assert.That(waits.IsHeld(key, holders[0], out _), Is.False);
        Assert.That(waits.IsHeld(another, holders[3], out _), Is.False);
        Assert.That(waits.IsHeld(key, holders[3], out var last) ? last : null, Is.SameAs(held[1]));
        Assert.That(holds.Select(hold => hold.WasDisturbed), Is.All.False);

        Put(test, key, RecordType.String, KeyEvent.Set);
        Array.ForEach(held[2..], one => one.Enter(waits));
        Assert.That(holds.Select(hold => hold.WasDisturbed), Is.EqualTo(new[] { true, true, false, false }));
        Assert.That(waits.IsHeld(key, this, out last) ? last : null, Is.SameAs(held[3]));
        held[3].Leave();
        held[2].Leave();
        Assert.That(waits.IsHeld(key, this, out last) ? last : null, Is.SameAs(held[1]));
        Assert.That(waits.IsHeld(key, holders[1], out _), Is.False);
        Assert.That(waits.IsHeld(key, holders[3], out _), Is.True, "it holds the key no longer");
        Array.ForEach(held[..2], one => one.Leave());
        Assert.That(waits.IsHeld(key, this, out _), Is.False);
        Assert.That(waits.Count, Is.Zero);
    }

    [Test]
    public void Of_streams_all_readers_are_woken_and_the_first_of_each_group([Range(1, 4)] int seed)
    {
        using var test = new TestShard();
        var random = new Random(seed);
        var model = Enumerable.Range(0, Keys).Select(_ => new List<Waiter>()).ToArray();
        var woken = new List<Waiter>();
        var wakes = 0;
        Put(test, test.Keys.Make(Keys, 12), RecordType.Stream, KeyEvent.Set);
        Put(test, test.Keys.Make(Keys + 1, 12), RecordType.String, KeyEvent.Set);
        for (var step = 0; step < Steps; step++)
        {
            var number = random.Next(Keys);
            var (key, ofKey) = (test.Keys.Make(number, 12), model[number]);
            var expected = new List<Waiter>();
            woken.Clear();
            Step(test, random, key, ofKey, woken, expected);
            Assert.That(woken, Is.EqualTo(expected), $"step {step}");
            wakes += woken.Count;

            var due = ofKey.FindAll(waiter => waiter.IsDue);
            Assert.That(test.Shard.Waits.FirstFor(key, RecordType.Stream)?.Waiter, Is.SameAs(due.FirstOrDefault()));
            var ofGroups = due.Find(waiter => waiter.Group != 0);
            Assert.That(test.Shard.Waits.FirstOfGroups(key, null)?.Waiter, Is.SameAs(ofGroups));
            Assert.That(
                test.Shard.Waits.KeysOfGroups, Is.EqualTo(model.Count(list => list.Exists(one => one.Group != 0))));
            Assert.That(test.Shard.Waits.Keys, Is.EqualTo(model.Count(list => list.Count > 0)));
        }

        Assert.That(wakes, Is.GreaterThan(Steps / 2));
        Array.ForEach(model, list => list.ForEach(waiter => waiter.Interest!.Leave()));
        Assert.That(test.Shard.Waits.Count + test.Shard.Waits.Keys, Is.Zero);
    }

    private static void Step(
        TestShard test, Random random, in Key key, List<Waiter> ofKey, List<Waiter> woken, List<Waiter> expected)
    {
        switch (random.Next(8))
        {
            case 0 or 1 or 2:
                var added = new Waiter(RecordType.Stream, (ulong)random.Next(Groups + 1), woken);
                added.Enter(key, test.Shard.Waits);
                ofKey.Add(added);
                break;
            case 3 or 4 when ofKey.Count > 0:
                var gone = ofKey[random.Next(ofKey.Count)];
                _ = ofKey.Remove(gone);
                if (gone.IsDue && gone.Group != 0)
                {
                    Expect(expected, ofKey.Find(waiter => waiter.Group == gone.Group));
                }

                gone.Interest!.Leave();
                break;
            case 5 when ofKey.Count > 0:
                var looks = ofKey[random.Next(ofKey.Count)];
                looks.IsDue = false;
                looks.Interest!.EndTurn();
                break;
            case 6:
                ofKey.FindAll(waiter => waiter.Group != 0).ForEach(waiter => Expect(expected, waiter));
                Tell(test, key, KeyEvent.Set);
                break;
            default:
                ofKey.FindAll(waiter => waiter.Group == 0
                        || ofKey.Find(one => one.Group == waiter.Group) == waiter)
                    .ForEach(waiter => Expect(expected, waiter));
                Tell(test, key, KeyEvent.XAdd);
                break;
        }
    }

    private static void Expect(List<Waiter> expected, Waiter? waiter)
    {
        if (waiter != null)
        {
            waiter.IsDue = true;
            expected.Add(waiter);
        }
    }

    /// <summary>Tells of one change, of an author of its own.</summary>
    private static void Tell(TestShard test, in Key key, KeyEvent what)
    {
        using var names = new NativeKeys(capacity: 12);
        var another = names.Make(what.BringsEntries ? Keys : Keys + 1, 12);
        Assert.That(test.Shard.TryGet(another, test.NowMs, cold: null, out var record));
        test.Shard.Waits.Changed(key, record, new Change(what, new Author()));
    }

    private static void Put(
        TestShard test, in Key key, RecordType type, KeyEvent what, IChangeAuthor? author = null)
    {
        _ = test.Shard.TryGet(key, test.NowMs, cold: null, out var existing);
        var change = new Change(what, author);
        _ = test.Shard.Put(key, existing, new RecordSpec(key, type, expiryMs: -1), "8 bytes!"u8, change);
        test.Shard.Settle(0, test.NowMs);
    }

    private sealed class Author : IChangeAuthor
    {
        public long Id => 0;
    }

    private sealed class Waiter(RecordType type, ulong group, List<Waiter> woken) : IKeyWaiter
    {
        public RecordType Type
        {
            get
            {
                Asked++;
                return type;
            }
        }

        public ulong Group
        {
            get
            {
                Asked++;
                return group;
            }
        }

        public bool IsDue { get; set; }

        public int Asked { get; set; }

        public int Woken { get; private set; }

        public AwaitedKey? Interest { get; private set; }

        public void Enter(in Key key, KeyWaits waits)
        {
            Interest = new AwaitedKey(key, this, owner: null!);
            Interest.Enter(waits);
        }

        public void Wake()
        {
            Woken++;
            woken.Add(this);
        }
    }
}
