using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Versions;

namespace Strata.Server.Commands.Documentation;

/// <summary>
/// docs/COMMANDS.md: every command of Redis 7.2, from the rows of <see cref="CommandList"/> and from
/// <see cref="MissingCommands"/>. A test compares the file with this; <c>strata-server --print-commands</c> writes it
/// anew.
/// </summary>
public static class CommandDocument
{
    private static readonly Version s_redis = Version.Parse(RedisCompatibility.Version);

    /// <summary>The page in Markdown.</summary>
    public static string Write()
    {
        var rows = AllRows(CommandList.Table).ToLookup(row => row.IsOwn);
        var present = rows[false].ToLookup(row => Version.Parse(row.Since) <= s_redis);
        var ofRedis = present[true].Select(DocumentedCommand.Of)
            .Concat(MissingCommands.All.Select(DocumentedCommand.Of))
            .OrderBy(command => command.FullName, StringComparer.Ordinal)
            .ToLookup(command => command.Group);
        var text = new StringBuilder(
            $"""
            # Commands

            Every command and subcommand of Redis {s_redis.ToString(fieldCount: 2)}, and whether Strata has it.
            `strata-server --print-commands` prints this page from the commands' rows in `server/Commands` and the
            list of what is missing, `server/Commands/Documentation/MissingCommands.cs`; a test compares.

            - **yes**: replies, error texts and effects are Redis's.
            - **differs**: it is there, and differs in what the last column says.
            - **no**: the answer is `ERR unknown command`, or `ERR unknown subcommand`.

            Of all commands alike: where Redis leaves an order open (the members of a set, the keys of SCAN), Strata
            has its own. Keys and values are below 1 GB, a reply below 2 GiB. With `storage-tier yes`, a command answers
            an error that begins with `IOERR` when it needs a record that cannot be read from the disk, and one with
            `MISCONF` when it would add data while the disk cannot be written. SENTINEL is not listed: only Redis
            Sentinel has it, redis-server does not.

            Commands of one client take effect in the order in which they were sent, as other clients see it, too.
            Between neighbours in a pipeline others may come, where Redis mostly executes what has arrived together.

            Replies, copies and combinations of many elements, searches among them (HSCAN, GEOSEARCH), sorting, what
            adds many to a collection (ZADD, HSET) or takes a good part of it out (SPOP and ZPOPMIN with a count,
            ZREMRANGEBYSCORE, SREM), what changes much that is pending in a stream's group (XREADGROUP, XAUTOCLAIM,
            XACK), what names thousands of keys (MGET, DEL, BLPOP, XREAD), and what reads long strings or makes them of
            others (GET, BITCOUNT, BITOP, COPY) are made in steps, between which other clients are served; who would
            change one of the keys waits meanwhile, but for DEL. Within MULTI and scripts, and in the commands that add
            thousands of elements to a collection many times as large or take them out of it, or out of a stream (XTRIM,
            XDEL), that set thousands of keys (MSET), or that go through strings of many megabytes which are on the disk
            or are changed (GETSET, APPEND), nobody else is served until the command is done, as in Redis.


            """);
        WriteCounts(text, ofRedis);
        foreach (var group in Enum.GetValues<CommandGroup>())
        {
            text.Append(CultureInfo.InvariantCulture, $"\n## {GroupNames.Of(group)}\n\n");
            text.Append("| command | answer | since | what differs |\n|---|---|---|---|\n");
            foreach (var command in ofRedis[group])
            {
                var remark = command.Remark.Length > 0 ? command.Remark + " " : "";
                text.Append(CultureInfo.InvariantCulture, $"| `{Spelled(command.FullName)}` | {Word(command.Answer)} ");
                text.Append(CultureInfo.InvariantCulture, $"| {command.Since} | {remark}|\n");
            }
        }

        WriteLater(text, present[false]);
        WriteOwn(text, rows[true]);
        return text.ToString();
    }

    private static IEnumerable<CommandRow> AllRows(CommandTable table)
        => table.Rows.SelectMany(row => row.Subcommands == null ? [row] : AllRows(row.Subcommands).Prepend(row));

    private static void WriteCounts(StringBuilder text, ILookup<CommandGroup, DocumentedCommand> ofRedis)
    {
        text.Append("| group | yes | differs | no |\n|---|---|---|---|\n");
        foreach (var group in Enum.GetValues<CommandGroup>())
        {
            var name = GroupNames.Of(group);
            WriteCount(text, $"[{name}](#{name})", [.. ofRedis[group]]);
        }

        WriteCount(text, "all", [.. ofRedis.SelectMany(commands => commands)]);
    }

    private static void WriteCount(StringBuilder text, string name, IReadOnlyList<DocumentedCommand> commands)
    {
        text.Append(CultureInfo.InvariantCulture, $"| {name} |");
        foreach (var answer in Enum.GetValues<CommandAnswer>())
        {
            text.Append(CultureInfo.InvariantCulture, $" {commands.Count(command => command.Answer == answer)} |");
        }

        text.Append('\n');
    }

    private static void WriteLater(StringBuilder text, IEnumerable<CommandRow> rows)
    {
        text.Append("\n## Of later versions of Redis\n\nThese are there, too.\n\n");
        text.Append("| command | group | since | what it does |\n|---|---|---|---|\n");
        foreach (var row in rows.OrderBy(row => row.FullName, StringComparer.Ordinal))
        {
            text.Append(CultureInfo.InvariantCulture, $"| `{Spelled(row.FullName)}` | {GroupNames.Of(row.Group)} ");
            text.Append(CultureInfo.InvariantCulture, $"| {row.Since} | {row.Summary} |\n");
        }
    }

    private static void WriteOwn(StringBuilder text, IEnumerable<CommandRow> rows)
    {
        text.Append("\n## Strata's own\n\n");
        text.Append("No version of Redis has these; [OBSERVABILITY.md](OBSERVABILITY.md) says more.\n\n");
        text.Append("| command | group | what it does |\n|---|---|---|\n");
        foreach (var row in rows.OrderBy(row => row.FullName, StringComparer.Ordinal))
        {
            text.Append(CultureInfo.InvariantCulture, $"| `{Spelled(row.FullName)}` | {GroupNames.Of(row.Group)} ");
            text.Append(CultureInfo.InvariantCulture, $"| {row.Summary} |\n");
        }
    }

    /// <summary>The name as people write it: CONFIG GET.</summary>
    private static string Spelled(string fullName) => fullName.Replace('|', ' ').ToUpperInvariant();

    private static string Word(CommandAnswer answer) => answer.ToString().ToLowerInvariant();
}
