using System.Globalization;
using System.Text;
using Strata.Server.Rdb;
using Strata.Tests.Server.Rdb;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>RESTORE of payloads of the everyday types, in their plainest encodings, some of them damaged; and what
/// tells whether a value is the same: DEBUG DIGEST-VALUE, and whether DUMP has something.</summary>
internal sealed class PayloadsFamily : ICommandFamily
{
    private const int MostElements = 6;
    private const int TimeAt = 2;
    private const long LeastTimeMs = 1_000_000_000;

    // Redis counts on beyond the last millisecond there is, and finds that the time is over.
    private const string LongestTime = "9223372036854775807";

    public string Name => "payloads";

    public OracleStep Next(CommandPool pool) => pool.Chance(0.01) ? Reload() : pool.Below(10) switch
    {
        < 6 => OracleStep.Single(NotForAMoment(CommandNoise.Apply(pool, Restore(pool)))),
        < 8 => Digest(pool),
        8 => OracleStep.Single(CommandNoise.Apply(pool, ["DUMP", pool.Key()])),
        _ => OracleStep.Single(KeysFamily.Random(pool)),
    };

    /// <summary>All data is saved and loaded again.</summary>
    private static OracleStep Reload() => OracleStep.Single(["DEBUG", "RELOAD"]);

    private static string[] Restore(CommandPool pool)
    {
        var words = new List<string> { "RESTORE", pool.Key(), Time(pool, out var isAbsolute), Payload(pool) };
        if (isAbsolute)
        {
            words.Add(pool.MixedCase("ABSTTL"));
        }

        if (pool.Chance(0.6))
        {
            words.Add(pool.MixedCase("REPLACE"));
        }

        if (pool.Chance(0.1))
        {
            words.AddRange([pool.MixedCase("IDLETIME"), pool.Integer()]);
        }

        if (pool.Chance(0.1))
        {
            words.AddRange([pool.MixedCase("FREQ"), pool.Integer()]);
        }

        return [.. words];
    }

    /// <summary>What lives for a moment only may be gone in one server and not yet in the other.</summary>
    private static string[] NotForAMoment(string[] words)
    {
        if (words.Length > TimeAt && long.TryParse(words[TimeAt], CultureInfo.InvariantCulture, out var ms)
            && ms is > 0 and < LeastTimeMs)
        {
            words[TimeAt] = CommandPool.Text(LeastTimeMs);
        }

        return words;
    }

    /// <summary>Redis's DEBUG finds also what has expired and was not met yet by another command.</summary>
    private static OracleStep Digest(CommandPool pool)
    {
        var keys = pool.Several(3, pool.Key);
        return new OracleStep(
            StepKind.Commands,
            [RespCommand.Of(["EXISTS", .. keys]), RespCommand.Of(["DEBUG", "DIGEST-VALUE", .. keys])],
            replyCount: 2);
    }

    private static string Time(CommandPool pool, out bool isAbsolute)
    {
        isAbsolute = pool.Chance(0.3);
        return isAbsolute ? pool.PointInTime(milliseconds: true)
            : pool.Chance(0.5) ? "0"
            : pool.TimeToLive(milliseconds: true) is var time and not LongestTime ? time : "-1";
    }

    private static string Payload(CommandPool pool)
    {
        var payload = Content(pool).Payload(version: pool.Chance(0.95) ? pool.Pick(1, 9, 10) : 99);
        if (pool.Chance(0.05))
        {
            payload[pool.Below(payload.Length)] ^= 1;
        }

        return Encoding.Latin1.GetString(payload);
    }

    private static PayloadBuilder Content(CommandPool pool) => pool.Below(5) switch
    {
        0 => new PayloadBuilder(RdbType.String).String(pool.Value()),
        1 => Elements(RdbType.List, pool.Several(MostElements, pool.Value), addRest: null),
        2 => Elements(RdbType.Set, Distinct(pool), addRest: null),
        3 => Elements(RdbType.Hash, Distinct(pool), content => content.String(pool.Value())),
        _ => Elements(RdbType.SortedSet, Distinct(pool), content => content.Double(pool.Below(100) - 50.5)),
    };

    /// <summary>Members or fields. Redis looks for equal ones in some encodings; Strata refuses them all.</summary>
    private static string[] Distinct(CommandPool pool) => [.. pool.Several(MostElements, pool.Value).Distinct()];

    private static PayloadBuilder Elements(byte type, string[] elements, Action<PayloadBuilder>? addRest)
    {
        var content = new PayloadBuilder(type, (byte)elements.Length);
        foreach (var element in elements)
        {
            content.String(element);
            addRest?.Invoke(content);
        }

        return content;
    }
}
