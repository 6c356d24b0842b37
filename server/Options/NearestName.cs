namespace Strata.Server.Options;

/// <summary>Finds what somebody who made a typing mistake may have meant.</summary>
public static class NearestName
{
    /// <summary>
    /// The text to add to an error about an unknown name: the nearest one, or nothing when none is near.
    /// </summary>
    /// <param name="name">The unknown name.</param>
    /// <param name="prefix">What stands before a name where this one was found (<c>--</c>, or nothing).</param>
    public static string Hint(string name, string prefix = "")
    {
        var (nearest, distance) = ConfigurationTable.Names
            .Select(known => (known.Text, Distance(name.ToLowerInvariant(), known.Text)))
            .MinBy(candidate => candidate.Item2);
        return distance <= Math.Max(1, name.Length / 3) ? $"; did you mean {prefix}{nearest}?" : "";
    }

    /// <summary>
    /// How many characters must be inserted, deleted or replaced to make one text of the other (Levenshtein).
    /// </summary>
    private static int Distance(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 1; i <= left.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[^1];
    }
}
