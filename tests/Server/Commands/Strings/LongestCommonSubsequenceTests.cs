using System.Text;
using NUnit.Framework;
using Strata.Server.Commands.Strings;

namespace Strata.Tests.Server.Commands.Strings;

public sealed class LongestCommonSubsequenceTests
{
    [TestCase("ohmytext", "mynewtext", "mytext")]
    [TestCase("abc", "", "")]
    [TestCase("", "abc", "")]
    [TestCase("abc", "def", "")]
    [TestCase("same", "same", "same")]
    [TestCase("ab", "ba", "b")]
    public void Finds_the_subsequence_that_Redis_finds(string first, string second, string expected)
        => Assert.That(Text(Find(first, second), first), Is.EqualTo(expected));

    [FsCheck.NUnit.Property(MaxTest = 500)]
    public void Is_the_one_of_the_table_of_lengths(int seed)
    {
        var random = new Random(seed);
        var first = RandomText(random);
        var second = RandomText(random);
        var (matches, length) = FromTable(first, second);
        var found = Find(first, second);
        Assert.Multiple(() =>
        {
            Assert.That(found.TotalLength, Is.EqualTo(length), $"{first} {second}");
            Assert.That(found.Matches, Is.EqualTo(matches), $"{first} {second}");
            Assert.That(LongestCommonSubsequence.Length(Bytes(first), Bytes(second)), Is.EqualTo(length));
        });
    }

    /// <summary>Lengths around the 64 columns that are computed at once, and few letters, so that there are ties.
    /// </summary>
    private static string RandomText(Random random)
    {
        var letters = random.Next(1, 6);
        var length = random.Next(4) == 0 ? random.Next(60, 70) : random.Next(0, 200);
        return string.Concat(Enumerable.Range(0, length).Select(_ => (char)('a' + random.Next(letters))));
    }

    private static (List<LcsMatch> Matches, int Length) FromTable(string first, string second)
    {
        var table = new int[first.Length + 1, second.Length + 1];
        for (var i = 1; i <= first.Length; i++)
        {
            for (var j = 1; j <= second.Length; j++)
            {
                table[i, j] = first[i - 1] == second[j - 1]
                    ? table[i - 1, j - 1] + 1
                    : Math.Max(table[i - 1, j], table[i, j - 1]);
            }
        }

        var matches = new List<LcsMatch>();
        var (row, column, length) = (first.Length, second.Length, 0);
        while (row > 0 && column > 0)
        {
            var isMatch = first[row - 1] == second[column - 1];
            if (!isMatch && length > 0)
            {
                matches.Add(new LcsMatch(row, column, length));
                length = 0;
            }

            var isUp = isMatch || table[row - 1, column] > table[row, column - 1];
            var isLeft = isMatch || !isUp;
            (row, column, length) = (row - (isUp ? 1 : 0), column - (isLeft ? 1 : 0), length + (isMatch ? 1 : 0));
        }

        if (length > 0)
        {
            matches.Add(new LcsMatch(row, column, length));
        }

        return (matches, table[first.Length, second.Length]);
    }

    private static LongestCommonSubsequence Find(string first, string second)
        => LongestCommonSubsequence.Find(Bytes(first), Bytes(second));

    private static string Text(LongestCommonSubsequence found, string first)
        => string.Concat(found.Matches.Reverse().Select(match => first.Substring(match.FirstStart, match.Length)));

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);
}
