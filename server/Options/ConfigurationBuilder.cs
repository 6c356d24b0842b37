using Strata.Server.Text;

namespace Strata.Server.Options;

/// <summary>
/// Gathers values, each over the ones before it, and what is to be warned of. What is given wrongly is an error that
/// names the place, as whoever gives it describes it.
/// </summary>
public sealed class ConfigurationBuilder
{
    private readonly List<string> _unknownVariables = [];
    private readonly HashSet<ConfigurationKey> _adding = [];

    /// <summary>The values so far.</summary>
    public ConfigurationValues Values { get; private set; } = ConfigurationValues.Defaults;

    /// <summary>The users so far.</summary>
    public List<UserLine> Users { get; } = [];

    /// <summary>The other names of commands so far.</summary>
    public List<RenameLine> Renames { get; } = [];

    /// <summary>What was given so far and has no effect.</summary>
    public UnsupportedSettings Unsupported { get; } = new();

    /// <summary>What the log should warn of when it is open.</summary>
    public IReadOnlyList<string> Warnings
    {
        get
        {
            List<string> warnings = [.. Unsupported.ToWarnings()];
            if (_unknownVariables.Count > 0)
            {
                warnings.Add(
                    $"Environment variables that name no configuration key: {string.Join(", ", _unknownVariables)}.");
            }

            return warnings;
        }
    }

    /// <summary>What is given from here on is of another kind (the conf file, the environment, flags): what adds up
    /// within a kind takes the place of what another said.</summary>
    public void BeginKind() => _adding.Clear();

    /// <summary>Sets a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="words">
    /// The words given. A single one that is not empty is split again for keys that take several.
    /// </param>
    /// <param name="place">Where it was given, for the error.</param>
    /// <exception cref="ConfigurationException">The value is not right.</exception>
    public void Set(ConfigurationKey key, IReadOnlyList<string> words, string place)
    {
        var text = Read(key, words, Values[key], place);
        if (key.AddsUp && !_adding.Add(key) && text.Length > 0)
        {
            text = $"{Values[key]} {text}".TrimStart();
        }

        Values = Values.With(key, text);
    }

    /// <summary>Adds a user.</summary>
    /// <param name="words">The name and the rules.</param>
    /// <param name="place">Where it was given, for the error.</param>
    /// <exception cref="ConfigurationException">There is no name, or it was given before.</exception>
    public void AddUser(IReadOnlyList<string> words, string place)
    {
        if (words.Count == 0)
        {
            throw new ConfigurationException($"{place}: wrong number of arguments; user takes: name rule ...");
        }

        if (Users.Exists(user => user.Name == words[0]))
        {
            throw new ConfigurationException(
                $"{place}: Error in user declaration '{ConfigurationText.ToUnicode(words[0])}': Duplicate user found. "
                + "A user can only be defined once in config files");
        }

        Users.Add(new UserLine(words[0], [.. words.Skip(1)], place));
    }

    /// <summary>Gives a command another name.</summary>
    /// <param name="words">The old name and the new one, which is empty for none.</param>
    /// <param name="place">Where it was given, for the error.</param>
    /// <exception cref="ConfigurationException">There are more or fewer.</exception>
    public void AddRename(IReadOnlyList<string> words, string place)
        => Renames.Add(words is [var from, var to]
            ? new RenameLine(from, to, place)
            : throw new ConfigurationException(
                $"{place}: wrong number of arguments; {RenameLine.Directive} takes: command new-name"));

    /// <summary>Reads a value.</summary>
    /// <param name="word">What it is of.</param>
    /// <param name="words">
    /// The words given. A single one that is not empty is split again for what takes several.
    /// </param>
    /// <param name="current">The text in force, which a partial value adds to.</param>
    /// <param name="place">Where it was given, for the error.</param>
    /// <exception cref="ConfigurationException">The value is not right.</exception>
    internal static string Read(ConfigurationWord word, IReadOnlyList<string> words, string current, string place)
    {
        if (word.Syntax.TakesSeveralWords && words is [{ Length: > 0 } joined])
        {
            if (!QuotedWords.TrySplit(joined, out var split))
            {
                throw new ConfigurationException($"{place}: unbalanced quotes in the value of {word.Name}");
            }

            words = split;
        }

        return word.TryRead(words, current, out var text, out var error)
            ? text
            : throw new ConfigurationException($"{place}: {error}; {word.Name} takes: {word.Syntax.Form}");
    }

    /// <summary>Notes an environment variable that looks as if it were meant for a key and is not.</summary>
    public void AddUnknownVariable(string name) => _unknownVariables.Add(name);
}
