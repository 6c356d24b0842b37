using NUnit.Framework;
using Strata.Storage.Census;
using Strata.Storage.Index;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Census;

[TestFixture]
internal sealed class CensusTableTests
{
    /// <summary>Keys that come and go, as a dictionary has them.</summary>
    [Test]
    public void It_has_the_keys_that_were_added_and_not_taken_out()
    {
        const int Capacity = 64;
        using var names = new NativeKeys();
        var table = new CensusTable(Capacity);
        var model = new Dictionary<ulong, (ulong Address, long Bytes, string Name)>();
        var random = new Random(7);
        for (var step = 0; step < 20_000; step++)
        {
            var name = $"key:{random.Next(200)}";
            var key = names.Make(name);
            var index = table.Find(key.Hash);
            Assert.That(index >= 0, Is.EqualTo(model.ContainsKey(key.Hash)));
            if (index >= 0 && random.Next(2) == 0)
            {
                table.RemoveAt(index);
                _ = model.Remove(key.Hash);
            }
            else if (index >= 0)
            {
                table.Set(index, address: (ulong)step, bytes: step);
                model[key.Hash] = ((ulong)step, step, name);
            }
            else if (table.Count < Capacity)
            {
                table.Add(key, address: (ulong)step, bytes: step);
                model.Add(key.Hash, ((ulong)step, step, name));
            }
        }

        Assert.That(table.Count, Is.EqualTo(model.Count));
        var copy = new CensusKeys();
        Assert.That(table.TryCopy(uint.MaxValue, copy));
        Assert.That(copy.Count, Is.EqualTo(model.Count));
        for (var i = 0; i < copy.Count; i++)
        {
            var (address, bytes, name) = model[copy[i].Hash];
            Assert.That((copy[i].Bytes, System.Text.Encoding.ASCII.GetString(copy.NameOf(i).Span)),
                Is.EqualTo((bytes, name)));
            Assert.That(table.Has(KeyHash.NumberOf(copy[i].Hash), address));
        }

        Assert.That(table.TryCopy(KeyHash.Numbers / 4, copy));
        const uint Quarter = KeyHash.Numbers / 4;
        Assert.That(copy.Count, Is.EqualTo(model.Keys.Count(static hash => KeyHash.NumberOf(hash) < Quarter)));
        table.Clear();
        Assert.That((table.Count, table.Find(model.Keys.First())), Is.EqualTo((0, -1)));
    }
}
