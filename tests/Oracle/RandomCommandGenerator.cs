namespace Strata.Tests.Oracle;

/// <summary>Makes sequences of random commands. The same seed, families and length make the same sequence.</summary>
internal sealed class RandomCommandGenerator(IReadOnlyList<ICommandFamily> families)
{
    private const int ShortestSequence = 5;
    private const int LongestSequence = 80;
    private const int LongestBurst = 40;

    /// <summary>Every family there is.</summary>
    public static IReadOnlyList<ICommandFamily> AllFamilies { get; } =
    [
        new StringsFamily(), new BitmapsFamily(), new HyperLogLogsFamily(), new KeysFamily(), new PayloadsFamily(),
        new ExpiryFamily(), new ConnectionFamily(), new ServerFamily(), new ListsFamily(), new SortFamily(),
        new HashesFamily(), new SetsFamily(), new SortedSetsFamily(), new GeoFamily(), new StreamsFamily(),
        new TransactionsFamily(), new BlockingFamily(), new PubSubFamily(), new ScriptsFamily(), new FunctionsFamily(),
        new AclFamily(),
    ];

    /// <summary>The generator of the families with these names, comma-separated; of all when it is empty.</summary>
    /// <exception cref="ArgumentException">There is no family of that name.</exception>
    public static RandomCommandGenerator Of(string? names)
    {
        if (string.IsNullOrWhiteSpace(names))
        {
            return new RandomCommandGenerator(AllFamilies);
        }

        var chosen = names.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(name => AllFamilies.FirstOrDefault(family => family.Name == name)
                ?? throw new ArgumentException(
                    $"No family '{name}'; there are {string.Join(", ", AllFamilies.Select(family => family.Name))}."));
        return new RandomCommandGenerator([.. chosen]);
    }

    /// <summary>One sequence in lock step: each step is sent when the one before it was answered.</summary>
    public IReadOnlyList<OracleStep> Sequence(int seed)
    {
        var random = new Random(seed);
        var pool = new CommandPool(random);

        // Most sequences keep to a few families, so that their commands meet; the rest mix all.
        var used = families.Where(_ => pool.Chance(0.5)).ToList();
        used = used.Count == 0 ? [.. families] : used;
        if (used.Exists(static family => family is AclFamily))
        {
            used.RemoveAll(static family => !family.MayBeRefused);
        }

        var steps = new List<OracleStep>();
        if (pool.Chance(0.5))
        {
            steps.Add(OracleStep.Single("HELLO", "3"));
        }

        if (pool.Chance(0.7))
        {
            // Something to work on; without it the commands of some families would mostly find nothing.
            steps.Add(OracleStep.Single(["MSET", .. pool.Keys.SelectMany(key => new[] { key, pool.Value() })]));
        }

        var length = random.Next(ShortestSequence, LongestSequence + 1);
        while (steps.Count < length)
        {
            AddSteps(steps, pool.Pick<ICommandFamily>(used), pool);
        }

        return steps;
    }

    /// <summary>The same sequence in bursts of random lengths.</summary>
    public static IReadOnlyList<OracleStep> InBursts(IReadOnlyList<OracleStep> steps, int seed)
    {
        var random = new Random(seed);
        var left = random.Next(1, LongestBurst);
        var result = new OracleStep[steps.Count];
        for (var i = 0; i < steps.Count; i++)
        {
            left--;
            result[i] = steps[i].WithEndsBurst(left == 0);
            left = left == 0 ? random.Next(1, LongestBurst) : left;
        }

        return result;
    }

    /// <summary>One step, or sometimes a run of GETs or SETs, which is what batches are made of.</summary>
    private static void AddSteps(List<OracleStep> steps, ICommandFamily family, CommandPool pool)
    {
        if (family is StringsFamily && pool.Chance(0.15))
        {
            var isRead = pool.Chance(0.5);
            for (var i = pool.Below(10); i >= 0; i--)
            {
                steps.Add(isRead
                    ? OracleStep.Single("GET", pool.Key())
                    : OracleStep.Single("SET", pool.Key(), pool.Value()));
            }

            return;
        }

        steps.Add(family.Next(pool));
    }
}
