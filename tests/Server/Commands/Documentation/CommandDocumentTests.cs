using NUnit.Framework;
using Strata.Server.Commands;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Documentation;

/// <summary>docs/COMMANDS.md says of every command of Redis 7.2 once whether it is there, and what it says is true.
/// </summary>
public sealed class CommandDocumentTests
{
    private const string LaterHeading = "## Of later versions of Redis";

    // What Redis 7.0 says of CLIENT PAUSE; 7.2 names the release.
    private const string BetaOf30 = "2.9.50";

    // What Redis 7.2 added to 7.0, which may be the version that is installed.
    private static readonly string[] s_newIn72 = ["client|no-touch", "client|setinfo", "cluster|myshardid", "waitaof"];
    private static readonly Version s_endOf72 = new(7, 3);

    private static readonly string s_page = File.ReadAllText(RepositoryRoot.Combine("docs", "COMMANDS.md"));
    private static readonly List<DocumentedLine> s_ofRedis = Lines(s_page.Split(LaterHeading)[0]);
    private static readonly List<CommandRow> s_rows = RowsOf(CommandList.Table);

    [Test]
    public void The_page_in_the_repository_is_the_printed_one() =>
        Assert.That(
            s_page,
            Is.EqualTo(CommandDocument.Write()),
            "write it anew: strata-server --print-commands > docs/COMMANDS.md");

    [Test]
    public void No_command_stands_there_twice() =>
        Assert.That(s_ofRedis.Concat(Lines(s_page.Split(LaterHeading)[1])).Select(line => line.Name), Is.Unique);

    [Test]
    public void Nothing_is_called_missing_that_has_a_row() =>
        Assert.That(
            MissingCommands.All.Select(missing => missing.FullName).Intersect(s_rows.Select(row => row.FullName)),
            Is.Empty,
            "take them out of MissingCommands");

    [Test]
    public void Every_row_stands_there_with_its_answer()
    {
        foreach (var row in s_rows)
        {
            var line = s_ofRedis.SingleOrDefault(line => line.Name == row.FullName);
            if (row.IsOwn || Version.Parse(row.Since) >= s_endOf72)
            {
                Assert.That(line, Is.Null, row.FullName);
                continue;
            }

            Assert.That(line, Is.Not.Null, row.FullName);
            Assert.That(line!.Answer, Is.EqualTo(row.Differs == null ? "yes" : "differs"), row.FullName);
            Assert.That(line.Remark, Is.EqualTo(row.Differs ?? ""), row.FullName);
        }
    }

    [Test]
    public void A_difference_is_a_sentence_of_one_line()
    {
        foreach (var row in s_rows.Where(row => row.Differs != null))
        {
            Assert.That(row.Differs, Does.Match(@"^[A-Z][^|\n]+\.$"), row.FullName);
        }
    }

    /// <summary>The server names its commands with their groups and versions; what later ones added is left out.
    /// </summary>
    [Test]
    public void Exactly_the_commands_of_Redis_stand_there()
    {
        using var server = RedisProcess.Start();
        using var connection = RespConnection.Connect(server.Port);
        var documented = new Dictionary<string, (string Group, string Since)>();
        Collect(connection.Call("COMMAND", "DOCS"), documented);
        var listed = connection.Call("COMMAND", "LIST").Items.Select(name => name.Text);
        Assert.That(documented.Keys, Is.EquivalentTo(listed));
        var expected = documented.Where(command => Version.Parse(command.Value.Since) < s_endOf72).ToList();
        var names = expected.Select(command => command.Key).Union(s_newIn72);
        Assert.That(s_ofRedis.Select(line => line.Name), Is.EquivalentTo(names));
        var known = s_ofRedis.Where(line => documented.ContainsKey(line.Name));
        Assert.That(
            known.Select(line => (line.Name, line.Group, line.Since)),
            Is.EquivalentTo(expected.Select(command => (command.Key, command.Value.Group, command.Value.Since))));
    }

    /// <summary>What redis-server 7.0 knows of: later versions are left out.</summary>
    [Test]
    public void The_history_of_commands_names_the_versions_of_Redis()
    {
        using var redis = RedisProcess.Start();
        using var connection = RespConnection.Connect(redis.Port);
        var expected = new List<string>();
        CollectHistory(connection.Call("COMMAND", "DOCS"), expected);
        using var strata = ServerProcess.Start(ServerKind.Strata);
        using var ours = strata.Connect();
        var told = new List<string>();
        CollectHistory(ours.Call("COMMAND", "DOCS"), told);
        var rows = s_rows.Select(row => row.FullName).ToHashSet();
        Assert.That(told, Is.SupersetOf(expected.Where(line => rows.Contains(line.Split(' ')[0]))));
        Assert.That(
            told.Except(expected), Is.All.StartWith("georadius").Or.StartWith("acl|log"), "told of since 7.2 alone");
    }

    /// <summary>But for the notes, which are for people.</summary>
    [Test]
    public void Keys_are_specified_as_redis_specifies_them()
    {
        using var redis = RedisProcess.Start();
        using var strata = ServerProcess.Start(ServerKind.Strata);
        using var toRedis = redis.Connect();
        using var toStrata = strata.Connect();
        var expected = new Dictionary<string, string>();
        CollectKeySpecs(toRedis.Call("COMMAND"), expected);
        var told = new Dictionary<string, string>();
        CollectKeySpecs(toStrata.Call("COMMAND"), told);
        Assert.That(told.Keys.Intersect(expected.Keys).Count(), Is.GreaterThan(300));
        Assert.Multiple(() =>
        {
            foreach (var (name, specs) in told.Where(command => expected.ContainsKey(command.Key)))
            {
                Assert.That(specs, Is.EqualTo(expected[name]), name);
            }
        });
    }

    private static void CollectKeySpecs(RespValue commands, Dictionary<string, string> found)
    {
        const int KeySpecs = 8;
        foreach (var command in commands.Items)
        {
            found[command.Items[0].Text] = string.Join('\n', command.Items[KeySpecs].Items
                .Select(spec => string.Join(' ', spec.Items.Chunk(2)
                    .Where(field => field[0].Text != "notes")
                    .Select(field => $"{field[0].Text}={field[1].Sorted(arraysToo: true)}")))
                .Order(StringComparer.Ordinal));
            CollectKeySpecs(command.Items[KeySpecs + 1], found);
        }
    }

    /// <summary>Adds a command and a version for each entry of its history.</summary>
    private static void CollectHistory(RespValue docs, List<string> found)
    {
        foreach (var command in docs.Items.Chunk(2))
        {
            var fields = command[1].Items.Chunk(2).ToDictionary(pair => pair[0].Text, pair => pair[1]);
            if (fields.TryGetValue("history", out var history))
            {
                found.AddRange(history.Items
                    .Select(entry => entry.Items[0].Text)
                    .Where(version => Version.Parse(version) < new Version(7, 1))
                    .Select(version => $"{command[0].Text} {version}"));
            }

            if (fields.TryGetValue("subcommands", out var subcommands))
            {
                CollectHistory(subcommands, found);
            }
        }
    }

    private static List<CommandRow> RowsOf(CommandTable table) =>
        [.. table.Rows.SelectMany(row => row.Subcommands == null ? [row] : RowsOf(row.Subcommands).Prepend(row))];

    private static List<DocumentedLine> Lines(string text)
    {
        var lines = new List<DocumentedLine>();
        var group = "";
        foreach (var line in text.Split('\n'))
        {
            var cells = line.Split('|', StringSplitOptions.TrimEntries);
            if (line.StartsWith("## ", StringComparison.Ordinal))
            {
                group = line[3..];
            }
            else if (line.StartsWith("| `", StringComparison.Ordinal))
            {
                var name = cells[1].Trim('`').ToLowerInvariant().Replace(' ', '|');
                lines.Add(new DocumentedLine(name, group, cells[2], cells[3], cells[4]));
            }
        }

        return lines;
    }

    private static void Collect(RespValue docs, Dictionary<string, (string Group, string Since)> found)
    {
        foreach (var command in docs.Items.Chunk(2))
        {
            var fields = command[1].Items.Chunk(2).ToDictionary(pair => pair[0].Text, pair => pair[1]);
            var since = fields["since"].Text;
            found.Add(command[0].Text, (fields["group"].Text, since == BetaOf30 ? "3.0.0" : since));
            if (fields.TryGetValue("subcommands", out var subcommands))
            {
                Collect(subcommands, found);
            }
        }
    }

    private sealed record DocumentedLine(string Name, string Group, string Answer, string Since, string Remark);
}
