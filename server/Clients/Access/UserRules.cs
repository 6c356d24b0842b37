namespace Strata.Server.Clients.Access;

/// <summary>The rules of one user as words: a selector in parentheses may be spread over several of them.</summary>
internal static class UserRules
{
    /// <summary>Puts the words of each selector together.</summary>
    /// <param name="words">The words.</param>
    /// <param name="rules">The rules.</param>
    /// <param name="unmatched">The word that opens a parenthesis which nothing closes.</param>
    /// <returns>False when there is such a word.</returns>
    public static bool TryMerge(IReadOnlyList<string> words, out List<string> rules, out int unmatched)
    {
        rules = [];
        unmatched = -1;
        var selector = new List<string>();
        for (var i = 0; i < words.Count; i++)
        {
            var isLast = words[i].EndsWith(')');
            if (unmatched < 0 && (isLast || !words[i].StartsWith('(')))
            {
                rules.Add(words[i]);
                continue;
            }

            unmatched = unmatched < 0 ? i : unmatched;
            selector.Add(words[i]);
            if (isLast)
            {
                rules.Add(string.Join(' ', selector));
                selector.Clear();
                unmatched = -1;
            }
        }

        return unmatched < 0;
    }
}
