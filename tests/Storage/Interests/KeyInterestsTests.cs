using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Interests;
using Strata.Tests.Storage.Index;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Interests;

/// <summary>Interests in keys against lists by key, with keys that share their hashes.</summary>
public sealed unsafe class KeyInterestsTests
{
    private const int Steps = 20_000;
    private const int Keys = 60;
    private const int Hashes = 7;

    [Test]
    public void They_are_in_the_order_they_came_whoever_leaves([Range(1, 5)] int seed)
    {
        var random = new Random(seed);
        using var names = new NativeKeys();
        using var shard = new TestShard();
        var interests = shard.Shard.Watches;
        var model = Enumerable.Range(0, Keys).Select(_ => new List<WatchedKey>()).ToArray();
        for (var step = 0; step < Steps; step++)
        {
            var number = random.Next(Keys);
            var ofKey = model[number];
            if (ofKey.Count == 0 || random.Next(20) < (step / 2_000 % 2 == 0 ? 12 : 8))
            {
                var added = new WatchedKey(KeyOf(names, number), new Watcher(), owner: null!);
                interests.Add(added);
                ofKey.Add(added);
            }
            else
            {
                var index = random.Next(ofKey.Count);
                interests.Remove(ofKey[index]);
                ofKey.RemoveAt(index);
            }

            Assert.That(InOrder(interests, KeyOf(names, number)), Is.EqualTo(ofKey));
            Assert.That(interests.Count, Is.EqualTo(model.Sum(list => list.Count)));
        }

        foreach (var number in Enumerable.Range(0, Keys))
        {
            Assert.That(InOrder(interests, KeyOf(names, number)), Is.EqualTo(model[number]), $"key {number}");
        }

        Assert.That(interests.Copy(), Is.EquivalentTo(model.SelectMany(list => list)));
        var hashes = Enumerable.Range(0, Keys).Where(i => model[i].Count > 0).Select(i => i % Hashes).Distinct();
        Assert.That(interests.Keys, Is.EqualTo(hashes.Count()));
        interests.Copy().ForEach(interests.Remove);
        Assert.That(interests.Count, Is.Zero);
        Assert.That(interests.Keys, Is.Zero);
    }

    /// <summary>Every second one is in the other database, under the name of the one before it.</summary>
    private static Key KeyOf(NativeKeys names, int number)
    {
        var key = names.Make($"key {number / 2}", (byte)(number % 2));
        return new Key(key.Pointer, key.Length, key.Database, (ulong)(number % Hashes));
    }

    private static List<KeyInterest> InOrder(KeyWatches interests, in Key key)
    {
        var found = new List<KeyInterest>();
        for (var next = interests.OldestIn(key); next != null; next = KeyWatches.NextTo(next))
        {
            found.Add(next);
        }

        return found;
    }

    private sealed class Watcher : IChangeWatcher
    {
        public void OnChange() => Assert.Fail("no key was changed");
    }
}
