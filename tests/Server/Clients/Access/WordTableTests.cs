using NUnit.Framework;
using Strata.Server.Clients.Access;
using Strata.Server.Options;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>Words in native memory.</summary>
internal sealed class WordTableTests
{
    /// <summary>Compared with a list that is searched from its beginning.</summary>
    [Test]
    public void It_is_what_a_list_of_words_would_be([Values(3, 40, 2000)] int different)
    {
        var random = new Random(TestContext.CurrentContext.Random.Next());
        using var table = new WordTable();
        var model = new List<(string Word, byte Mark)>();
        for (var i = 0; i < 20_000; i++)
        {
            var word = new string('w', random.Next(3)) + random.Next(different);
            var at = model.FindIndex(known => known.Word == word);
            var mark = (byte)random.Next(WordTable.MaxMark + 1);
            switch (random.Next(different * 4))
            {
                case 0:
                    table.Clear();
                    model.Clear();
                    break;
                case var choice when choice % 3 == 0:
                    Assert.That(table.Remove(Bytes(word)), Is.EqualTo(at >= 0));
                    _ = at < 0 ? default : model[at];
                    model.RemoveAll(known => known.Word == word);
                    break;
                default:
                    table.Set(Bytes(word), mark);
                    if (at >= 0)
                    {
                        model[at] = (word, mark);
                    }
                    else
                    {
                        model.Add((word, mark));
                    }

                    break;
            }

            at = model.FindIndex(known => known.Word == word);
            Assert.That(table.TryGet(Bytes(word), out var found), Is.EqualTo(at >= 0));
            Assert.That(found, Is.EqualTo(at < 0 ? 0 : model[at].Mark));
            Assert.That(table.Count, Is.EqualTo(model.Count));
        }

        AssertHolds(table.ToBuffer(), model);
        using var again = new WordTable(table.ToBuffer());
        AssertHolds(again.ToBuffer(), model);
    }

    [Test]
    public void Words_become_longer_at_the_end()
    {
        using var words = new WordBuffer();
        words.Add("first"u8, mark: 7);
        words.Add([]);
        for (var i = 0; i < 1000; i++)
        {
            words.Extend("ab"u8);
        }

        words.Add("last"u8);
        Assert.That(words.Count, Is.EqualTo(3));
        Assert.That(words.TextAt(0), Is.EqualTo("first"));
        Assert.That(words.MarkOf(0), Is.EqualTo(7));
        Assert.That(words.TextAt(1), Is.EqualTo(string.Concat(Enumerable.Repeat("ab", 1000))));
        Assert.That(words.TextAt(2), Is.EqualTo("last"));
        Assert.That(words.TextBytes, Is.EqualTo(2009));
        words.Clear();
        words.Add("b"u8);
        Assert.That((words.Count, words.TextAt(0)), Is.EqualTo((1, "b")));
    }

    private static byte[] Bytes(string word) => ConfigurationText.ToBytes(word);

    private static void AssertHolds(WordBuffer words, List<(string Word, byte Mark)> expected)
        => Assert.That(
            Enumerable.Range(0, words.Count).Select(i => (words.TextAt(i), words.MarkOf(i))), Is.EqualTo(expected));
}
