using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Reports;

/// <summary>Which sections and fields INFO has.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class InfoFieldsTests(ServerKind kind) : ServerFixture(kind)
{
    /// <summary>Whatever a redis-server that is installed says, section by section, and in its order.</summary>
    [Test]
    public void What_Redis_has_is_there()
    {
        using var redis = RedisProcess.Start();
        var theirs = Sections(redis);
        var ours = Sections(Server);
        Assert.That(ours.Keys, Is.SupersetOf(theirs.Keys));
        foreach (var (title, names) in theirs)
        {
            Assert.That(ours[title].Where(names.Contains), Is.EqualTo(names), title);
        }
    }

    [Test]
    public void What_Redis_7_4_has_is_there()
    {
        IgnoreRedis();
        var ours = Sections(Server);
        foreach (var (title, names) in InfoNames.OfRedis74)
        {
            var aside = names.Where(name => name.StartsWith("aof_", StringComparison.Ordinal)).ToList();
            Assert.That(ours[title], Is.SupersetOf(names), title);
            Assert.That(
                ours[title].Where(names.Contains).Except(aside), Is.EqualTo(names.Except(aside)), title);
        }
    }

    [Test]
    public void What_exporters_read_is_there()
    {
        IgnoreRedis();
        Assert.That(Sections(Server).Values.SelectMany(names => names), Is.SupersetOf(InfoNames.OfExporter));
        Assert.That(InfoNames.OfExporter, Has.Length.GreaterThan(100));
    }

    [TestCase("server", "Server")]
    [TestCase("SERVER cpu server", "Server CPU")]
    [TestCase("keyspace nonsense clients", "Clients Keyspace")]
    [TestCase("modules", "Modules")]
    [TestCase("module_list", "Modules")]
    [TestCase("nonsense", "")]
    public void Sections_are_chosen_by_name(string words, string titles)
    {
        using var connection = Server.Connect();
        var text = connection.Call(["INFO", .. words.Split(' ')]).Text;
        Assert.That(Parse(text).Keys, Is.EqualTo(titles.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
    }

    [Test]
    public void All_and_everything_have_more_than_the_default()
    {
        using var connection = Server.Connect();
        var usual = Parse(connection.Call("INFO").Text).Keys.ToList();
        Assert.That(Parse(connection.Call("INFO", "default").Text).Keys, Is.EqualTo(usual));
        foreach (var word in (string[])["all", "everything"])
        {
            var all = Parse(connection.Call("INFO", word).Text).Keys.ToList();
            Assert.That(all, Is.SupersetOf(usual), word);
            Assert.That(all.Except(usual), Is.SupersetOf(["Commandstats", "Latencystats"]), word);
            Assert.That(all, Does.Not.Contain("Debug"), word);
        }

        var debug = Parse(connection.Call("INFO", "debug").Text).Keys;
        Assert.That(debug, Has.Count.EqualTo(1).Or.Count.EqualTo(Kind == ServerKind.Redis ? 0 : 1)); // New in 7.2.

        var some = Parse(connection.Call("INFO", "default", "commandstats").Text).Keys.ToList();
        Assert.That(some, Is.SupersetOf(usual).And.Contain("Commandstats").And.Not.Contain("Latencystats"));
    }

    private static Dictionary<string, List<string>> Sections(ServerProcess server)
    {
        using var connection = server.Connect();
        _ = connection.Call("SET", "k", "v");
        _ = connection.Call("GET");
        return Parse(connection.Call("INFO", "everything", "debug").Text);
    }

    /// <summary>The fields by the titles of their sections; what is named by commands is left out.</summary>
    private static Dictionary<string, List<string>> Parse(string text)
    {
        var sections = new Dictionary<string, List<string>>();
        var names = new List<string>();
        foreach (var line in text.Split("\r\n", StringSplitOptions.RemoveEmptyEntries))
        {
            var name = line.Split(':')[0];
            if (line.StartsWith("# ", StringComparison.Ordinal))
            {
                sections.Add(line[2..], names = []);
            }
            else if (!name.StartsWith("cmdstat_", StringComparison.Ordinal)
                && !name.StartsWith("latency_percentiles_", StringComparison.Ordinal))
            {
                names.Add(name);
            }
        }

        return sections;
    }

    private void IgnoreRedis()
    {
        if (Kind == ServerKind.Redis)
        {
            Assert.Ignore("The redis-server that is installed is older.");
        }
    }
}
