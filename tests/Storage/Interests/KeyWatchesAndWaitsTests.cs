using NUnit.Framework;
using Strata.Storage.Changes;
using Strata.Storage.Interests;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Interests;

/// <summary>Who is told what when keys of a shard come, change and go, against lists that say it.</summary>
public sealed class KeyWatchesAndWaitsTests
{
    private const int Steps = 20_000;
    private const int Keys = 25;

    private readonly List<Party>[] _waiting = [.. Enumerable.Range(0, Keys).Select(_ => new List<Party>())];
    private readonly List<Party>[] _watching = [.. Enumerable.Range(0, Keys).Select(_ => new List<Party>())];
    private readonly List<Party> _all = [];

    [Test]
    public void The_first_who_waits_for_a_type_is_woken_and_all_who_watch_are_told([Range(1, 4)] int seed)
    {
        using var test = new TestShard();
        var random = new Random(seed);
        Array.ForEach(_waiting, list => list.Clear());
        Array.ForEach(_watching, list => list.Clear());
        _all.Clear();
        for (var step = 0; step < Steps; step++)
        {
            Step(test, random);
            Assert.That(_all.Where(party => party.Told != party.Expected), Is.Empty, $"step {step}");
            Assert.That(test.Shard.Waits.Count, Is.EqualTo(_waiting.Sum(list => list.Count)));
            Assert.That(test.Shard.Watches.Count, Is.EqualTo(_watching.Sum(list => list.Count)));
        }

        Assert.That(_all.Sum(party => party.Told), Is.GreaterThan(Steps / 10));
        _ = _all.RemoveAll(party =>
        {
            party.Interest!.Leave();
            return true;
        });
        Assert.That(test.Shard.Waits.Keys + test.Shard.Watches.Keys, Is.Zero);
    }

    private void Step(TestShard test, Random random)
    {
        var number = random.Next(Keys);
        var key = test.Keys.Make(number, 12);
        switch (random.Next(12))
        {
            case 0 or 1:
                var waiter = new Party(random.Next(2) == 0 ? RecordType.String : RecordType.List);
                var awaited = new AwaitedKey(key, waiter, owner: null!);
                awaited.Enter(test.Shard.Waits);
                Note(_waiting[number], waiter, awaited);
                break;
            case 2:
                var watcher = new Party(RecordType.String);
                var watched = new WatchedKey(key, watcher, owner: null!);
                watched.Enter(test.Shard.Watches);
                Note(_watching[number], watcher, watched);
                break;
            case 3 or 4 when _waiting[number].Count > 0:
                var gone = Leave(_waiting[number], random);
                if (test.Shard.TryGet(key, test.NowMs, cold: null, out _))
                {
                    First(number, gone.Type)?.Expect(); // it is the next one's turn
                }

                gone.Interest!.Leave();
                break;
            case 5 when _watching[number].Count > 0:
                Leave(_watching[number], random).Interest!.Leave();
                break;
            case 6 or 7 or 8:
                var isThere = test.Shard.TryGet(key, test.NowMs, cold: null, out _);
                _watching[number].ForEach(party => party.Expected += isThere ? 1 : 0);
                Assert.That(test.Delete(key), Is.EqualTo(isThere));
                break;
            case 9:
                Clear(test, random.Next(10) == 0 ? ShardChanges.AllDatabases : random.Next(2));
                break;
            default:
                Put(test, number, random.Next(2) == 0 ? RecordType.String : RecordType.List);
                break;
        }
    }

    private void Put(TestShard test, int number, RecordType type)
    {
        var key = test.Keys.Make(number, 12);
        First(number, type)?.Expect();
        _watching[number].ForEach(party => party.Expect());
        _ = test.Shard.TryGet(key, test.NowMs, cold: null, out var existing);
        if (existing.IsNull)
        {
            First(number, type)?.Expect(); // that the key is new is told apart, but not to those who watch
        }

        var spec = new RecordSpec(key, type, expiryMs: -1);
        _ = test.Shard.Put(key, existing, spec, "8 bytes!"u8, TestChange.Any);
        test.Shard.Settle(0, test.NowMs);
    }

    private void Clear(TestShard test, int database)
    {
        for (var number = 0; number < Keys && database <= 0; number++)
        {
            if (test.Shard.TryGet(test.Keys.Make(number, 12), test.NowMs, cold: null, out _))
            {
                _watching[number].ForEach(party => party.Expect());
            }
        }

        if (database == ShardChanges.AllDatabases)
        {
            DatabaseEraser.EraseAll(test.Shard, author: null);
        }
        else
        {
            DatabaseEraser.Erase(test.Shard, (byte)database, author: null);
        }
    }

    private void Note(List<Party> list, Party party, KeyInterest interest)
    {
        party.Interest = interest;
        list.Add(party);
        _all.Add(party);
    }

    private static Party Leave(List<Party> list, Random random)
    {
        var party = list[random.Next(list.Count)];
        _ = list.Remove(party);
        return party;
    }

    private Party? First(int number, RecordType type) => _waiting[number].Find(party => party.Type == type);

    private sealed class Party(RecordType type) : IKeyWaiter, IChangeWatcher
    {
        public RecordType Type => type;

        public KeyInterest? Interest { get; set; }

        public int Told { get; private set; }

        public int Expected { get; set; }

        public void Expect() => Expected++;

        public void Wake() => Told++;

        public void OnChange() => Told++;
    }
}
