using NUnit.Framework;
using Strata.Server.Options;
using Strata.Server.Options.Inert;
using Strata.Server.Options.Keys;
using Strata.Server.Text;

namespace Strata.Tests.Server.Options;

/// <summary>
/// The conf file, the flags, CONFIG GET, the options and the documentation hold the same keys and defaults.
/// </summary>
public sealed class ConfigurationAgreementTests
{
    private static readonly string s_root = FindRoot();
    private static readonly string s_confFile = Path.Combine(s_root, "conf", "strata.conf");
    private static readonly string[] s_names = [.. ConfigurationTable.Keys.Select(key => key.Name)];

    [Test]
    public void The_conf_file_sets_every_key_to_its_default()
    {
        var lines = File.ReadAllLines(s_confFile).Where(line => line.Length > 0 && line[0] != '#').ToList();
        Assert.That(lines.Select(line => line.Split(' ')[0]).Distinct(), Is.EqualTo(s_names));

        // Loaded over values that all differ from the defaults, it must bring all of them back.
        var builder = new ConfigurationBuilder();
        foreach (var key in ConfigurationTable.Keys)
        {
            builder.Set(key, OtherValue(key), "test");
            Assert.That(builder.Values[key], Is.Not.EqualTo(key.DefaultText), key.Name);
        }

        new ConfFileReader(builder).Read(s_confFile);
        Assert.That(builder.Unsupported.ToWarnings(), Is.Empty);
        Assert.That(Print(builder.Values), Is.EqualTo(Print(ConfigurationValues.Defaults)));
    }

    [Test]
    public void Every_key_is_a_flag()
    {
        foreach (var key in ConfigurationTable.Keys)
        {
            var loaded = Loading.Load([$"--{key.Name}", .. OtherValue(key)]);
            foreach (var other in ConfigurationTable.Keys)
            {
                var expected = Is.EqualTo(other.DefaultText);
                Assert.That(loaded.Options.Values[other], other == key ? !expected : expected, $"{other} by --{key}");
            }
        }

        var help = ProgramArguments.Parse(["--help"]).TextToPrint!;
        var flags = help.Split('\n').SkipWhile(line => !line.StartsWith("Keys", StringComparison.Ordinal))
            .Where(line => line.StartsWith("  --", StringComparison.Ordinal))
            .Select(line => line.Trim().Split(' ')[0][2..]);
        Assert.That(flags, Is.EqualTo(s_names));
    }

    [Test]
    public void Every_key_is_an_environment_variable()
    {
        foreach (var key in ConfigurationTable.Keys)
        {
            var loaded = Loading.Load([], (key.EnvironmentVariable, string.Join(' ', OtherValue(key))));
            Assert.That(loaded.Options.Values[key], Is.Not.EqualTo(key.DefaultText), key.Name);
            Assert.That(loaded.Warnings, Is.Empty);
        }
    }

    [Test]
    public void Config_get_prints_every_key_with_its_default()
    {
        var printed = new ConfigurationStore(ServerOptions.Defaults, null).Get(["*"]);
        Assert.That(printed.Select(pair => pair.Key).Intersect(s_names), Is.EqualTo(s_names));
        foreach (var (name, value) in printed)
        {
            Assert.That(ConfigurationTable.TryFindName(name, out var found), Is.True);
            if (found!.Word is ConfigurationKey key)
            {
                Assert.That(QuotedWords.TrySplit(key.DefaultValue, out var words), Is.True);
                Assert.That(key.TryRead(words, "", out var text, out _), Is.True);
                Assert.That(value, Is.EqualTo(text), name);
            }
        }
    }

    [Test]
    public void What_config_get_prints_config_set_takes()
    {
        var store = new ConfigurationStore(ServerOptions.Defaults, null);
        foreach (var (name, value) in store.Get(["*"]).Where(pair => Find(pair.Key).Change != ChangeRule.AtStart))
        {
            Assert.That(store.TrySet([new(name, value)], true, out var error), Is.True, error);
        }
    }

    [Test]
    public void The_neutral_value_of_a_word_without_effect_is_taken_everywhere_in_silence()
    {
        foreach (var word in InertWords.All)
        {
            string[] names = word.Alias is null ? [word.Name] : [word.Name, word.Alias];
            foreach (var name in names)
            {
                var loaded = Loading.Load([$"--{name}", word.NeutralText]);
                Assert.That(loaded.Warnings, Is.Empty, name);
            }

            var variable = "STRATA_" + (word.Alias ?? word.Name).Replace('-', '_').ToUpperInvariant();
            Assert.That(Loading.Load([], (variable, word.NeutralText)).Warnings, Is.Empty, variable);
        }
    }

    [Test]
    public void The_documentation_lists_every_key_with_its_default()
    {
        var document = File.ReadAllText(Path.Combine(s_root, "docs", "CONFIGURATION.md"));
        var rows = document.Split('\n').Where(line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(line => line.Split('|', StringSplitOptions.TrimEntries))
            .Select(cells => (cells[1].Trim('`'), cells[2].Trim('`'), cells[3], cells[4].Trim('`')));
        Assert.That(rows, Is.EqualTo(ConfigurationTable.Keys.Select(key =>
            (key.Name, key.DefaultValue, key.Change == ChangeRule.AtRuntime ? "yes" : "no", key.EnvironmentVariable))));
    }

    [Test]
    public void The_printed_files_are_the_ones_in_the_repository()
    {
        Assert.That(
            File.ReadAllText(s_confFile),
            Is.EqualTo(ConfigurationDocument.Conf()),
            "write it anew: strata-server --print-conf > conf/strata.conf");
        Assert.That(
            File.ReadAllText(Path.Combine(s_root, "docs", "CONFIGURATION.md")),
            Does.EndWith(ConfigurationDocument.Reference().TrimEnd('\n') + "\n"),
            "put the output of strata-server --print-reference at its end");
    }

    [Test]
    public void The_options_change_with_every_key()
    {
        foreach (var key in ConfigurationTable.Keys)
        {
            Assert.That(key.TryRead(OtherValue(key), key.DefaultText, out var text, out var error), Is.True, error);
            var changed = new ServerOptions(ConfigurationValues.Defaults.With(key, text));
            var differing = typeof(ServerOptions).GetProperties()
                .Where(property => property.Name is not nameof(ServerOptions.Values))
                .Where(property => property.Name is not nameof(ServerOptions.Defaults))
                .Where(property => !Describe(property.GetValue(changed)).Equals(
                    Describe(property.GetValue(ServerOptions.Defaults)), StringComparison.Ordinal))
                .Select(property => property.Name);
            Assert.That(differing, Has.Exactly(1).Items, key.Name);
        }
    }

    /// <summary>A right value that is not the default.</summary>
    private static string[] OtherValue(ConfigurationKey key) => key.DefaultValue switch
    {
        _ when key == NetworkKeys.Bind => ["127.0.0.1"],
        _ when key == NetworkKeys.AllowUnsupported => ["tls-cluster"],
        _ when key == EngineKeys.Dir => ["/"],
        _ when key == EngineKeys.Workers => ["77"],
        _ when key == EngineKeys.NotifyKeyspaceEvents => ["KEA"],
        _ when key == ClientKeys.ClientOutputBufferLimit => ["pubsub", "1", "2", "3"],
        _ when key == DiagnosticKeys.LatencyTrackingInfoPercentiles => ["75"],
        _ when key == DiagnosticKeys.LogLevel => ["debug"],
        _ when key == DiagnosticKeys.LogFormat => ["json"],
        _ when key == MemoryKeys.MaxMemoryPolicy => ["allkeys-lru"],
        _ when key == MemoryKeys.ActiveExpireEffort => ["3"],
        _ when key == TierKeys.CompactionGarbagePercent => ["11"],
        _ when key == ClientKeys.EnableDebugCommand => ["local"],
        _ when key == ClientKeys.EnableProtectedConfigs => ["local"],
        _ when key == AccessKeys.AclPubSubDefault => ["allchannels"],
        _ when key == JournalKeys.AppendFsync => ["always"],
        _ when key == ObservationKeys.OtlpEndpoint => ["https://collector:4317"],
        _ when key == ObservationKeys.OtlpProtocol => ["http/protobuf"],
        _ when key == PersistenceKeys.Save => ["60", "1"],
        _ when key == ProcessKeys.Supervised => ["systemd"],
        "yes" => ["no"],
        "no" => ["yes"],
        "\"\"" => ["other"],
        "16" => ["32"],
        "512mb" or "1gb" or "64mb" => ["2mb"],
        "auto" => ["managed"],
        _ => ["111"],
    };

    private static ConfigurationWord Find(string name) =>
        ConfigurationTable.TryFindName(name, out var found)
            ? found.Word
            : throw new ArgumentException($"There is no word {name}.");

    private static string Print(ConfigurationValues values) =>
        string.Join('\n', ConfigurationTable.Keys.Select(key => $"{key.Name} {values[key]}"));

    private static string Describe(object? value) => value switch
    {
        System.Collections.IEnumerable many and not string => string.Join(' ', many.Cast<object>()),
        ReadOnlyMemory<byte> bytes => Convert.ToHexString(bytes.Span),
        _ => value?.ToString() ?? "",
    };

    private static string FindRoot()
    {
        var directory = TestContext.CurrentContext.TestDirectory;
        while (!File.Exists(Path.Combine(directory, "Server.slnx")))
        {
            directory = Path.GetDirectoryName(directory)
                ?? throw new InvalidOperationException("The tests do not run inside the repository.");
        }

        return directory;
    }
}
