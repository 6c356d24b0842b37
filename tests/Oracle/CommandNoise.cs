namespace Strata.Tests.Oracle;

/// <summary>Makes some of the commands wrong: too few, too many, swapped and strange arguments, odd case.</summary>
internal static class CommandNoise
{
    private const double WrongShare = 0.06;

    public static string[] Apply(CommandPool pool, string[] words)
    {
        var noisy = words.ToList();
        noisy[0] = pool.MixedCase(noisy[0]);
        if (pool.Chance(WrongShare))
        {
            Spoil(pool, noisy);
        }

        return [.. noisy];
    }

    private static void Spoil(CommandPool pool, List<string> words)
    {
        switch (pool.Below(4))
        {
            case 0 when words.Count > 1:
                words.RemoveAt(words.Count - 1);
                break;
            case 1:
                words.Add(pool.Junk());
                break;
            case 2 when words.Count > 1:
                Replace(pool, words, 1 + pool.Below(words.Count - 1));
                break;
            default:
                words.RemoveRange(1, words.Count - 1);
                break;
        }
    }

    private static void Replace(CommandPool pool, List<string> words, int index)
    {
        // A time to live turned into 1 would let replies depend on how fast the sequence runs.
        var mayBeTime = (long.TryParse(words[index], out var number) && number >= 10_000)
            || words[0].Contains("EX", StringComparison.OrdinalIgnoreCase) // [P]SETEX, [P]EXPIRE[AT], GETEX, HEXPIRE
            || words[index - 1].ToUpperInvariant() is "EX" or "PX";
        words[index] = mayBeTime ? pool.Pick("", "junk", "-1") : pool.Junk();
    }
}
