using Strata.Server.Text;
using Strata.Server.Versions;

namespace Strata.Server.Options;

/// <summary>
/// The program's arguments. Every key of the table is a flag, <c>--name value…</c> or <c>--name=value</c>, in
/// redis-server's manner: the words up to the next flag are the value, and the first of them is even when it begins
/// with two dashes. What is left is read into <see cref="ProgramOptions"/>.
/// </summary>
public sealed class ProgramArguments
{
    private readonly List<(string Name, List<string> Words)> _settings = [];
    private readonly List<(int Argument, int From)> _secrets = [];

    private ProgramArguments(IReadOnlyList<string> arguments)
    {
        var own = new List<string>();
        for (var at = 0; at < arguments.Count;)
        {
            if (!TryTakeSetting(arguments, ref at))
            {
                own.Add(arguments[at++]);
            }
        }

        Options = new ProgramOptions(own);
        TextToPrint = TextOf(Options);
        ConfFile = FindConfFile(Options);
    }

    /// <summary>The program's own flags.</summary>
    public ProgramOptions Options { get; }

    /// <summary>The conf file; null when none was named.</summary>
    public string? ConfFile { get; }

    /// <summary>Whether a conf file or a key was given.</summary>
    public bool NamesConfiguration => ConfFile is not null || _settings.Count > 0;

    /// <summary>The help or the version, when one of them is what was asked for; otherwise null.</summary>
    public string? TextToPrint { get; }

    /// <summary>Which of the arguments hold secrets, and from which character on.</summary>
    public IReadOnlyList<(int Argument, int From)> Secrets => _secrets;

    /// <summary>Reads the arguments.</summary>
    /// <exception cref="ConfigurationException">A flag is unknown, or an argument too many.</exception>
    public static ProgramArguments Parse(IReadOnlyList<string> arguments) => new(arguments);

    /// <summary>Sets the keys whose flags were given.</summary>
    /// <exception cref="ConfigurationException">A value is not right.</exception>
    public void ApplyTo(ConfigurationBuilder builder)
    {
        builder.BeginKind();
        foreach (var (name, words) in _settings)
        {
            List<string> given = [.. words.Select(ConfigurationText.FromUnicode)];
            if (ConfigurationTable.TryFind(name, out var key))
            {
                var place = key.IsSensitive ? $"Flag --{name}" : $"Flag --{name} {string.Join(' ', words)}".TrimEnd();
                builder.Set(key, given, place);
            }
            else if (UserLine.Is(name))
            {
                builder.AddUser(WordsOf(given), $"Flag --{name}");
            }
            else if (RenameLine.Is(name))
            {
                builder.AddRename(WordsOf(given), $"Flag --{name}");
            }
            else
            {
                builder.Unsupported.Add(name, given, $"Flag --{name}");
            }
        }
    }

    /// <summary>The words of a value that may have been given as one.</summary>
    private static List<string> WordsOf(List<string> given)
        => given is [var joined] && QuotedWords.TrySplit(joined, out var words) ? words : given;

    /// <summary>
    /// Takes a flag of the table, or of what is not supported, with its value; false when it is neither.
    /// </summary>
    private bool TryTakeSetting(IReadOnlyList<string> arguments, ref int at)
    {
        var argument = arguments[at];
        if (!argument.StartsWith("--", StringComparison.Ordinal))
        {
            return false;
        }

        var nameEnd = argument.AsSpan().IndexOfAny('=', ' ');
        var name = nameEnd < 0 ? argument[2..] : argument[2..nameEnd];
        var isWord = ConfigurationTable.TryFindName(name, out var found);
        if (!isWord && !UserLine.Is(name) && !RenameLine.Is(name) && !UnsupportedSettings.Contains(name))
        {
            return false;
        }

        var first = at++;
        var words = new List<string>();
        if (nameEnd >= 0)
        {
            words.Add(argument[(nameEnd + 1)..]);
        }
        else if (isWord && at < arguments.Count)
        {
            words.Add(arguments[at++]);
        }

        while (at < arguments.Count && !arguments[at].StartsWith("--", StringComparison.Ordinal))
        {
            words.Add(arguments[at++]);
        }

        _settings.Add((name, words));
        if (UserLine.Is(name) || (isWord && found!.Word.IsSensitive))
        {
            AddSecrets(first, nameEnd + 1, at);
        }

        return true;
    }

    /// <summary>Notes arguments, up to another one, as secrets.</summary>
    /// <param name="flag">The flag, the first of them.</param>
    /// <param name="valueAt">Where the value begins in it; 0 where it follows.</param>
    /// <param name="end">The one behind them.</param>
    private void AddSecrets(int flag, int valueAt, int end)
    {
        if (valueAt > 0)
        {
            _secrets.Add((flag, valueAt));
        }

        for (var argument = flag + 1; argument < end; argument++)
        {
            _secrets.Add((argument, 0));
        }
    }

    private static string? FindConfFile(ProgramOptions options)
    {
        List<string> files = [.. options.Arguments];
        if (options.ConfFile is { } named)
        {
            files.Insert(0, named);
        }

        return files.Count <= 1
            ? files.FirstOrDefault()
            : throw new ConfigurationException($"More than one conf file given: {string.Join(", ", files)}");
    }

    /// <exception cref="ConfigurationException">A flag is unknown, or lacks its value.</exception>
    private static string? TextOf(ProgramOptions options)
    {
        if (options.Arguments.FirstOrDefault(static argument => argument.StartsWith('-')) is { } word)
        {
            var unknown = word.Split('=', ' ')[0]; // Behind it may stand a secret.
            throw new ConfigurationException(
                $"Unknown flag {unknown}{NearestName.Hint(unknown.TrimStart('-'), "--")} (--help lists all flags)");
        }

        if (options.PrintHelp)
        {
            return ConfigurationDocument.Help(options);
        }

        return options.PrintVersion ? $"Strata server {ProductVersion.Text}"
            : options.Errors.Any() ? throw new ConfigurationException(string.Join("; ", options.Errors))
            : null;
    }
}
