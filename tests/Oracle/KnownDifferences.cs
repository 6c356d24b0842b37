using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// The one list of replies that may differ between Strata and redis-server 7.0.15, each with its reason.
/// <see cref="Normalize"/> takes from a reply what may differ; the rest must be the same.
/// </summary>
internal static partial class KnownDifferences
{
    private static readonly RespValue s_present = RespValue.Simple("(a value)");

    /// <summary>What is compared of a reply that isn't an error.</summary>
    public static RespValue Normalize(RespCommand command, RespValue reply) => command.Verb switch
    {
        // Redis 7.2 changed a letter in the last line.
        "OBJECT" when command.Subcommand == "HELP" && reply.IsAggregate
            => new RespValue(reply.Kind, [.. reply.Items.SkipLast(1)]),
        _ when command.Subcommand == "HELP" => FrameOfHelp(reply),

        // The version is each server's own, and ids count connections that the sequences don't see.
        "HELLO" => WithoutFields(reply, "version", "id"),

        // The clock goes on between the two calls.
        "TIME" or "LASTSAVE" => KindsOf(reply),

        // The figures are each server's own; INFO's own tests look at them.
        "INFO" => KindOnly(reply),

        // The order of a hash table is each server's own, and Redis packs what it dumps.
        "FUNCTION" when command.Subcommand == "LIST" => reply.Sorted(arraysToo: true),
        "FUNCTION" when command.Subcommand == "DUMP" => FunctionsFamily.LibrariesOf(reply),

        // A drawing and a version.
        "LOLWUT" => s_present,
        "CLIENT" => NormalizeClient(command, reply),
        "ACL" => AclReplies.Normalize(command, reply),
        "CONFIG" => NormalizeConfig(command, reply),

        // Which encoding is chosen is each server's own, and how it is packed.
        "DUMP" => KindOnly(reply),

        // What DEBUG OBJECT tells is each server's own.
        "DEBUG" when command.Subcommand != "DIGEST-VALUE" => KindOnly(reply),
        "COMMAND" => NormalizeCommand(command, reply),
        "OBJECT" => NormalizeObject(command, reply),
        "MEMORY" => NormalizeMemory(command, reply),
        "SLOWLOG" or "LATENCY" => NormalizeMonitor(command, reply),

        // The order of a hash table is each server's own.
        "ZSCAN" => ScanOfPairs(reply),

        _ when command.Verb.StartsWith('X') => StreamReplies.Normalize(command, reply),

        // So is chance.
        "ZRANDMEMBER" => KindsOf(reply),
        _ when command.Verb.StartsWith('Z') || command.Verb.StartsWith("BZ", StringComparison.Ordinal)
            => NumbersOf(reply),
        _ => reply,
    };

    /// <summary>Whether two error texts that are not the same say the same: which of several functions, or libraries,
    /// is met first that is there already follows the order of a hash table; and Redis 7.2 says which command has too
    /// few
    /// ids for its streams.</summary>
    public static bool AreSameErrors(string actual, string expected)
        => (AlreadyExists().Match(actual) is { Success: true } own
                && AlreadyExists().Match(expected) is { Success: true } other
                && own.Groups[1].Value == other.Groups[1].Value)
            || AclReplies.AreSameErrors(actual, expected)
            || (actual.StartsWith("ERR Unbalanced 'xread", StringComparison.Ordinal)
                && expected.StartsWith("ERR Unbalanced XREAD", StringComparison.Ordinal));

    [GeneratedRegex("^ERR (Function|Library) [A-Za-z0-9_]+ already exists$")]
    private static partial Regex AlreadyExists();

    /// <summary>Redis 7.2 writes 0.1 where 7.0 wrote 0.10000000000000001: compared by value. A score of -0 becomes 0 in
    /// a listpack, and SORT makes Redis give up listpacks.</summary>
    private static RespValue NumbersOf(RespValue reply)
    {
        if (reply.IsAggregate)
        {
            return new RespValue(reply.Kind, [.. reply.Items.Select(NumbersOf)]);
        }

        var mayBeNumber = reply.Kind is RespKind.Double or RespKind.BulkString;
        return mayBeNumber && double.TryParse(reply.Text, CultureInfo.InvariantCulture, out var number)
            ? new RespValue(reply.Kind, Encoding.Latin1.GetBytes(PlainText(number)))
            : reply;
    }

    private static string PlainText(double number)
        => number == 0 ? "0" : number.ToString("R", CultureInfo.InvariantCulture);

    // Sorted as they are: members may be different and the same number.
    private static RespValue ScanOfPairs(RespValue reply) =>
        reply.Items.Count == 2
            ? new RespValue(reply.Kind, [reply.Items[0], NumbersOf(reply.Items[1].SortedPairs())])
            : reply;

    private static RespValue NormalizeClient(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // Ids, addresses, ages and buffer sizes are each server's own.
        "ID" or "INFO" or "LIST" => KindOnly(reply),
        _ => reply,
    };

    private static RespValue NormalizeConfig(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // A glob also matches words that only one of the two servers has.
        "GET" => OnlySharedSettings(reply),
        _ => reply,
    };

    private static RespValue NormalizeCommand(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // Name, arity, flags, key positions and categories; tips, key specifications and subcommands came later
        // and grow with every version. Flags and categories are sets in RESP3, arrays in no set order in RESP2.
        "INFO" => FirstFieldsOfEach(reply, count: 7).Sorted(arraysToo: false),
        "GETKEYSANDFLAGS" => SortedLeaves(reply),

        // Every command there is, which are not the same ones.
        "" => KindOnly(reply),
        _ => reply,
    };

    private static RespValue NormalizeObject(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // Redis shares small integers and counts their users; how often and how long ago a key was used is
        // sampled by a clock.
        "REFCOUNT" or "IDLETIME" or "FREQ" => KindOnly(reply),

        // Redis 7.0 has no packed form of lists, and of sets only that of integers; 7.2 has. SORT unpacks a sorted set
        // in Redis.
        "ENCODING" when reply.Text is "listpack" or "quicklist" or "hashtable" or "skiplist"
            => RespValue.Simple("packed or not"),
        _ => reply,
    };

    private static RespValue NormalizeMemory(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // Sizes are those of each server's own structures.
        "USAGE" or "STATS" or "DOCTOR" or "MALLOC-STATS" => KindOnly(reply),
        _ => reply,
    };

    private static RespValue NormalizeMonitor(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // What was slow depends on the machine's other work.
        "GET" or "LEN" or "HISTOGRAM" or "DOCTOR" or "LATEST" or "RESET" => KindOnly(reply),
        _ => reply,
    };

    /// <summary>The kind alone, for replies whose value is each server's own.</summary>
    private static RespValue KindOnly(RespValue reply) =>
        reply.IsNull ? reply : RespValue.Simple(reply.Kind.ToString());

    /// <summary>The kinds of a reply's parts.</summary>
    public static RespValue KindsOf(RespValue reply) =>
        reply.IsAggregate ? new RespValue(reply.Kind, [.. reply.Items.Select(KindsOf)]) : KindOnly(reply);

    /// <summary>A help text's first line and that of HELP. The lines between are each server's own words and name the
    /// subcommands of its version, and the last one was put in other words by Redis 7.2.</summary>
    private static RespValue FrameOfHelp(RespValue reply) =>
        reply.Items.Count < 3 ? reply : new RespValue(reply.Kind, [reply.Items[0], reply.Items[^2]]);

    private static RespValue WithoutFields(RespValue reply, params string[] names)
    {
        if (reply.Items.Count % 2 != 0)
        {
            return reply;
        }

        var kept = reply.Items.Chunk(2).SelectMany(pair => names.Contains(pair[0].Text) ? [pair[0], s_present] : pair);
        return new RespValue(reply.Kind, [.. kept]).SortedPairs();
    }

    private static RespValue OnlySharedSettings(RespValue reply)
    {
        if (reply.Items.Count % 2 != 0)
        {
            return reply;
        }

        var kept = reply.Items.Chunk(2)
            .Where(pair => SharedSettings.Baseline.ContainsKey(pair[0].Text))
            .SelectMany(pair => pair);
        return new RespValue(reply.Kind, [.. kept]).SortedPairs();
    }

    private static RespValue FirstFieldsOfEach(RespValue reply, int count) =>
        new(reply.Kind, [.. reply.Items.Select(row => row.IsAggregate
            ? new RespValue(row.Kind, [.. row.Items.Take(count).Select(SortedIfStatuses)])
            : row)]);

    private static RespValue SortedIfStatuses(RespValue field) =>
        field.IsAggregate ? new RespValue(field.Kind, field.Items).Sorted(arraysToo: true) : field;

    private static RespValue SortedLeaves(RespValue reply) =>
        reply.Items.Count > 0 && reply.Items.All(item => !item.IsAggregate && IsFlag(item))
            ? reply.Sorted(arraysToo: true)
            : new RespValue(reply.Kind, [.. reply.Items.Select(i => i.IsAggregate ? SortedLeaves(i) : i)]);

    private static bool IsFlag(RespValue item) =>
        item.Kind == RespKind.SimpleString && item.Text.All(c => char.IsAsciiLetter(c) || c == '_');
}
