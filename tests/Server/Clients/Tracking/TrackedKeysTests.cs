using System.Text;
using NUnit.Framework;
using Strata.Server.Clients.Tracking;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Clients.Tracking;

public sealed class TrackedKeysTests
{
    private const int FilterBits = 1 << 16;
    private const int Steps = 200_000;

    [Test]
    public void It_has_what_was_added_and_not_taken([Values(1, 2, 3)] int seed)
    {
        var random = new Random(seed);
        var budget = new MemoryBudget();
        using var keys = new TrackedKeys(budget, FilterBits);
        var model = new Dictionary<ulong, SortedSet<long>>();
        for (var i = 0; i < Steps; i++)
        {
            var hash = HashOf(random.Next(20_000));
            if (random.Next(3) > 0)
            {
                var client = random.Next(1, random.Next(2, 20));
                Assert.That(keys.TryAdd(hash, NameOf(hash), Client(client), static _ => true));
                Assert.That(keys.Has(hash, Client(client)));
                model.TryAdd(hash, []);
                model[hash].Add(client);
                continue;
            }

            var isThere = keys.TryTake(hash, out var taken);
            Assert.That(isThere, Is.EqualTo(model.Remove(hash, out var clients)));
            if (isThere)
            {
                Assert.That(ClientsOf(taken), Is.EqualTo(clients));
                taken.Dispose();
            }
        }

        Assert.That(keys.Count, Is.EqualTo(model.Count));
        Assert.That(keys.Items, Is.EqualTo(model.Values.Sum(clients => (long)clients.Count)));
        Assert.That(model.Keys, Has.All.Matches<ulong>(keys.Filter.MayHave));
        foreach (var hash in model.Keys)
        {
            Assert.That(keys.TryTake(hash, out var taken));
            taken.Dispose();
        }

        Assert.That(Enumerable.Range(0, FilterBits).Where(bit => keys.Filter.MayHave((ulong)bit)), Is.Empty);
        keys.Dispose();
        Assert.That(budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void Clients_that_have_gone_make_no_list_longer()
    {
        using var keys = new TrackedKeys(new MemoryBudget(), FilterBits);
        for (var client = 1; client <= 1000; client++)
        {
            Assert.That(keys.TryAdd(1, "k"u8, Unslotted(client), id => id == client - 1));
        }

        Assert.That(keys.Items, Is.LessThan(10));
        Assert.That(keys.TryTake(1, out var taken));
        Assert.That(ClientsOf(taken), Does.Contain(1000).And.Contain(999));
        taken.Dispose();
    }

    [Test]
    public void What_a_client_has_read_is_forgotten_with_its_slot()
    {
        const int Keys = 1000;
        using var keys = new TrackedKeys(new MemoryBudget(), FilterBits);
        for (var i = 1; i <= Keys; i++)
        {
            Assert.That(keys.TryAdd(HashOf(i), NameOf(HashOf(i)), new TrackedClient(1, 3), static _ => true));
            Assert.That(keys.TryAdd(HashOf(i), NameOf(HashOf(i)), new TrackedClient(2, 63), static _ => true));
        }

        for (var i = 0; i < keys.Chunks; i++)
        {
            keys.Forget(i, 63);
        }

        Assert.That(keys.Items, Is.EqualTo(Keys));
        Assert.That(keys.Has(HashOf(7), new TrackedClient(1, 3)));
        Assert.That(keys.Has(HashOf(7), new TrackedClient(3, 63)), Is.False);
    }

    [Test]
    public void Victims_are_keys_that_are_there()
    {
        using var keys = new TrackedKeys(new MemoryBudget(), FilterBits);
        Assert.That(keys.TryFindVictim(out _, out _), Is.False);
        for (var i = 1; i <= 100; i++)
        {
            Assert.That(keys.TryAdd(HashOf(i), NameOf(HashOf(i)), Client(i), static _ => true));
        }

        for (var left = 100; left > 0; left--)
        {
            var isFound = keys.TryFindVictim(out var hash, out var name) || keys.TryFindVictim(out hash, out name);
            Assert.That(isFound);
            Assert.That(Encoding.Latin1.GetString(name), Is.EqualTo(Encoding.Latin1.GetString(NameOf(hash))));
            Assert.That(keys.TryTake(hash, out var taken));
            taken.Dispose();
        }

        Assert.That(keys.Count, Is.Zero);
    }

    private static ulong HashOf(int number) => (ulong)number * 0x9E3779B97F4A7C15;

    private static byte[] NameOf(ulong hash) => Encoding.Latin1.GetBytes($"key{hash}");

    /// <summary>One of some that have a slot, and of some that have none.</summary>
    private static TrackedClient Client(int number)
        => number % 2 == 0 ? new TrackedClient(number, number) : Unslotted(number);

    private static TrackedClient Unslotted(int number) => new(number, TrackedClient.NoSlot);

    private static List<long> ClientsOf(in TrackedKey key)
    {
        var clients = new List<long>(key.Listed.ToArray());
        clients.AddRange(Enumerable.Range(0, TrackedClient.Slots).Where(IsSet(key.Slots)).Select(slot => (long)slot));
        clients.Sort();
        return clients;
    }

    private static Func<int, bool> IsSet(ulong slots) => slot => ((slots >> slot) & 1) != 0;
}
