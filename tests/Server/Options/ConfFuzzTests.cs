using System.Text;
using NUnit.Framework;
using Strata.Server.Options;
using Strata.Tests.Support;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.Server.Options;

/// <summary>
/// Conf files of any bytes: each loads or ends with an error that names the file, and what loads is the same again when
/// CONFIG REWRITE has written it. <see cref="FuzzRun"/> says how it goes on for hours.
/// </summary>
internal sealed class ConfFuzzTests
{
    private static readonly string[] s_more =
    [
        "user alice on >secret ~a* +@read", "user default off", "rename-command CONFIG \"\"",
        "rename-command KEYS \"a b\\x00\"", "save 900 1", "save \"\"", "client-output-buffer-limit pubsub 1mb 2mb 3",
        "notify-keyspace-events KEA", "bind 127.0.0.1 -::1", "maxmemory 50%", "maxmemory 1.5gb", "requirepass 'a\\'b'",
        "oom-score-adj-values 0 200 800", "replicaof no one", "io-threads 1", "latency-tracking-info-percentiles 50 99",
        "include none-*.conf", "unixsocketperm 700", "dir .", "appendfilename \"a.aof\"", "shards 16",
    ];

    private static readonly string[] s_keys =
    [
        .. File.ReadAllLines(RepositoryRoot.Combine("conf", "strata.conf"))
            .Where(static line => line.Length > 0 && line[0] != '#'),
        .. s_more,
    ];

    private static ReadOnlySpan<byte> Interesting => " \t\"'\\\r\0#019-*%kmgb\xff"u8;

    [Test]
    public void A_file_loads_or_its_error_is_named()
    {
        using var folder = new TemporaryDirectory();
        var path = Path.Combine(folder.Path, "fuzz.conf");
        var loaded = 0;
        FuzzRun.Of(500, random =>
        {
            File.WriteAllBytes(path, Text(random));
            if (TryLoad(path) is not { } first)
            {
                return;
            }

            loaded++;
            var lines = ConfRewriter.Rewrite(File.ReadAllLines(path, Encoding.Latin1), first.Options.Values, []);
            File.WriteAllLines(path, lines, Encoding.Latin1);
            var again = TryLoad(path);
            Assert.That(again, Is.Not.Null, "what was written loads");
            foreach (var key in ConfigurationTable.Keys)
            {
                Assert.That(again!.Options.Values[key], Is.EqualTo(first.Options.Values[key]), key.Name);
            }

            Assert.That(again!.Renames.Select(Names), Is.EqualTo(first.Renames.Select(Names)));
        });

        Assert.That(loaded, Is.GreaterThan(0));
    }

    private static (string From, string To) Names(RenameLine line) => (line.From, line.To);

    private static LoadedConfiguration? TryLoad(string path)
    {
        try
        {
            return Loading.Load([path]);
        }
        catch (ConfigurationException error)
        {
            Assert.That(error.Message, Does.Contain("fuzz.conf").Or.Contain("Can't open the conf file"));
            return null;
        }
    }

    /// <summary>Lines, of which some are changed; what is included is named as it was, since other files are not the
    /// test's to read.</summary>
    private static byte[] Text(Random random)
    {
        var text = new List<byte>();
        foreach (var line in random.GetItems(s_keys, random.Next(1, 8)))
        {
            var right = Encoding.Latin1.GetBytes(line);
            var isChanged = random.Next(4) == 0 && !line.StartsWith("include", StringComparison.Ordinal);
            text.AddRange(isChanged ? Mutation.Of(right, random, Interesting) : right);
            text.Add((byte)'\n');
        }

        return [.. text];
    }
}
