using NUnit.Framework;
using Strata.Storage.Interests;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Interests;

public sealed class KeyInterestSetTests
{
    private const int Keys = 100;

    [Test]
    public void Keys_are_told_apart_by_name_and_database_few_or_many()
    {
        using var names = new NativeKeys();
        var set = new KeyInterestSet<WatchedKey>();
        var added = new List<WatchedKey>();
        for (var number = 0; number < Keys; number++)
        {
            for (byte database = 0; database < 2; database++)
            {
                Assert.That(set.Contains(names.Make(number, 12, database)), Is.False, $"{number} of {database}");
                added.Add(new WatchedKey(names.Make(number, 12, database), watcher: null!, owner: null!));
                set.Add(added[^1]);
            }

            for (var known = 0; known <= number; known++)
            {
                Assert.That(set.Contains(names.Make(known, 12)), $"{known} of {number}");
                Assert.That(set.Contains(names.Make(known, 12, 1)), $"{known} of {number} in database 1");
                Assert.That(set.Contains(names.Make(known, 12, 2)), Is.False);
            }
        }

        var all = new List<WatchedKey>();
        foreach (var interest in set)
        {
            all.Add(interest);
        }

        Assert.That(all, Is.EqualTo(added), "in the order they were added");
        Assert.That(set.Count, Is.EqualTo(2 * Keys));
    }
}
