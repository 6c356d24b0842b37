namespace Strata.Server.Clients.Access;

/// <summary>The rules of one user as words: a selector in parentheses may be spread over several of them.</summary>
internal static class UserRules
{
    /// <summary>Puts the words of each selector together.</summary>
    /// <param name="words">The words.</param>
    /// <param name="first">The first of them that is a rule, or begins one.</param>
    /// <param name="rules">Takes the rules.</param>
    /// <param name="unmatched">The word that opens a parenthesis which nothing closes.</param>
    /// <returns>False when there is such a word.</returns>
    public static bool TryMerge(WordBuffer words, int first, WordBuffer rules, out int unmatched)
    {
        unmatched = -1;
        for (var i = first; i < words.Count; i++)
        {
            var word = words[i];
            var isLast = word.EndsWith(")"u8);
            if (unmatched < 0 && (isLast || !word.StartsWith("("u8)))
            {
                rules.Add(word);
                continue;
            }

            if (unmatched < 0)
            {
                unmatched = i;
                rules.Add(word);
            }
            else
            {
                rules.Extend(" "u8);
                rules.Extend(word);
            }

            unmatched = isLast ? -1 : unmatched;
        }

        GC.KeepAlive(words);
        return unmatched < 0;
    }
}
