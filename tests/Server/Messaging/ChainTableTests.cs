using NUnit.Framework;
using Strata.Server.Messaging;

namespace Strata.Tests.Server.Messaging;

public sealed class ChainTableTests
{
    private const int Items = 5_000;

    /// <summary>A change replaces its chain, and now and then a part of the table, but never all of it.</summary>
    [Test]
    public void It_grows_and_shrinks_in_small_parts()
    {
        var table = new ChainTable<object>();
        var random = new Random(1);
        var items = Enumerable.Range(0, Items)
            .Select(_ => (Item: new object(), Hash: (ulong)random.NextInt64(long.MinValue, long.MaxValue)))
            .ToArray();
        var (before, most) = (new HashSet<object>(ReferenceEqualityComparer.Instance), 0);
        for (var change = 0; change < 2 * Items; change++)
        {
            var (item, hash) = items[change % Items];
            if (change < Items)
            {
                table.Insert(item, hash);
            }
            else
            {
                table.Remove(item, hash);
            }

            Assert.That(IsIn(table, item, hash), Is.EqualTo(change < Items));
            if (change % 20 == 0)
            {
                var links = All(table);
                most = Math.Max(most, links.Count(link => !before.Contains(link)));
                before = new HashSet<object>(links, ReferenceEqualityComparer.Instance);
                Assert.That(links, Has.Count.EqualTo(table.Count));
            }
        }

        Assert.That(table.Count, Is.Zero);
        Assert.That(most, Is.LessThan(Items / 4), "in twenty changes");
    }

    private static bool IsIn(ChainTable<object> table, object item, ulong hash)
    {
        for (var link = table.ChainOf(hash); link != null; link = link.Next)
        {
            if (link.Item == item)
            {
                return true;
            }
        }

        return false;
    }

    private static List<ChainTable<object>.Link> All(ChainTable<object> table)
    {
        List<ChainTable<object>.Link> all = [];
        foreach (var link in table)
        {
            all.Add(link);
        }

        return all;
    }
}
