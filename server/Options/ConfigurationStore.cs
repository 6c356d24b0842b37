using System.Text;

namespace Strata.Server.Options;

/// <summary>
/// The configuration of a running server: what CONFIG GET, SET and REWRITE work on. All members may be called from any
/// thread; reading <see cref="Current"/> costs one load, the rest is for commands that are rare and takes a lock.
/// </summary>
/// <remarks>
/// Names and values are <see cref="ConfigurationText"/>: a handler converts an argument's bytes with
/// <see cref="ConfigurationText.FromBytes"/> and writes a reply with <see cref="ConfigurationText.ToBytes"/>.
/// Errors are whole texts without the leading <c>ERR</c>. That SET has an even number of arguments, else
/// <c>syntax error</c>, is the handler's to check, and that values of keys with
/// <see cref="ConfigurationWord.IsSensitive"/> stay out of SLOWLOG and MONITOR.
/// </remarks>
public sealed class ConfigurationStore
{
    private readonly Lock _lock = new();
    private readonly string? _confFile;
    private readonly List<(ConfigurationKey Key, ApplyConfiguration Apply)> _subscribers = [];
    private volatile ServerOptions _current;

    /// <summary>Starts with given options.</summary>
    /// <param name="options">The options in force.</param>
    /// <param name="confFile">The conf file of the start, as a path that stays valid; null when there is none.</param>
    public ConfigurationStore(ServerOptions options, string? confFile)
    {
        _current = options;
        _confFile = confFile;
    }

    /// <summary>The options in force.</summary>
    public ServerOptions Current => _current;

    /// <summary>The absolute path of the conf file that the server was started with; null without one.</summary>
    public string? ConfFile => _confFile;

    /// <summary>The users that the server is to start with.</summary>
    public IReadOnlyList<UserLine> Users { get; init; } = [];

    /// <summary>The other names that it gives to commands.</summary>
    public IReadOnlyList<RenameLine> Renames { get; init; } = [];

    /// <summary>
    /// Has a delegate called for every change of a key's value. For the time of the start; not undone.
    /// </summary>
    public void Subscribe(ConfigurationKey key, ApplyConfiguration apply)
    {
        lock (_lock)
        {
            _subscribers.Add((key, apply));
        }
    }

    /// <summary>
    /// CONFIG GET: the names that any of the patterns matches (Redis's globs, letters in any case), each once, with
    /// their values. One that was asked for without wildcards is as it was spelled.
    /// </summary>
    public IReadOnlyList<KeyValuePair<string, string>> Get(IEnumerable<string> patterns)
    {
        var query = Query();
        foreach (var pattern in patterns)
        {
            var effort = long.MaxValue;
            _ = query.TryAdd(ConfigurationText.ToBytes(pattern), ref effort);
        }

        return query.Found;
    }

    /// <summary>The same, in steps.</summary>
    internal ConfigurationQuery Query() => new(_current);

    /// <summary>CONFIG SET: changes all the given keys, or none and says why.</summary>
    /// <param name="pairs">Names in any case, with the new values.</param>
    /// <param name="mayChangeProtected">Whether keys that could harm the machine may be among them.</param>
    /// <param name="error">The error reply's text; empty on success.</param>
    public bool TrySet(
        IReadOnlyList<KeyValuePair<string, string>> pairs,
        bool mayChangeProtected,
        out string error)
    {
        lock (_lock)
        {
            if (!TryFindNames(pairs, mayChangeProtected, out var names, out error)
                || !TryReadValues(pairs, names, out var values, out error))
            {
                return false;
            }

            var next = new ServerOptions(values);
            if (!TryApply(_current, next, names, out error))
            {
                return false;
            }

            _current = next;
            return true;
        }
    }

    /// <summary>
    /// CONFIG REWRITE: writes the values in force into the conf file of the start, as <see cref="ConfRewriter"/> says,
    /// in one step. Waits for the disk.
    /// </summary>
    /// <param name="users">The lines of the users; none where they stand in a file of their own.</param>
    /// <param name="error">The error reply's text; empty on success.</param>
    public bool TryRewrite(IReadOnlyList<string> users, out string error)
    {
        error = "";
        if (_confFile is null)
        {
            error = "The server is running without a config file";
            return false;
        }

        lock (_lock)
        {
            try
            {
                var lines = File.ReadAllLines(_confFile, Encoding.Latin1);
                ConfFileWriter.Replace(_confFile, ConfRewriter.Rewrite(lines, _current.Values, users));
                return true;
            }
            catch (Exception failure) when (FileError.Is(failure))
            {
                error = $"Rewriting config file: {FileError.Reason(failure)}";
                return false;
            }
        }
    }

    private static string SetFailed(string name, string reason) =>
        $"CONFIG SET failed (possibly related to argument '{name}') - {reason}";

    /// <summary>Finds the words and checks that they may be set; the first pair that is wrong makes the error.
    /// </summary>
    private static bool TryFindNames(
        IReadOnlyList<KeyValuePair<string, string>> pairs,
        bool mayChangeProtected,
        out List<ConfigurationName> names,
        out string error)
    {
        names = [];
        error = "";
        var seen = new HashSet<ConfigurationName>();
        foreach (var (given, _) in pairs)
        {
            if (!ConfigurationTable.TryFindName(given, out var name))
            {
                error = $"Unknown option or number of arguments for CONFIG SET - '{given}'";
                return false;
            }

            var refusal = name.Word.Change switch
            {
                ChangeRule.AtStart => "can't set immutable config",
                ChangeRule.Protected when !mayChangeProtected => "can't set protected config",
                _ => seen.Add(name) ? "" : "duplicate parameter",
            };
            if (refusal.Length > 0)
            {
                error = SetFailed(given, refusal);
                return false;
            }

            names.Add(name);
        }

        return true;
    }

    private bool TryReadValues(
        IReadOnlyList<KeyValuePair<string, string>> pairs,
        List<ConfigurationName> names,
        out ConfigurationValues values,
        out string error)
    {
        values = _current.Values;
        error = "";
        foreach (var (name, pair) in names.Zip(pairs))
        {
            // As in Redis, a list is split at every single blank here, without quotes.
            string[] words = !name.Word.Syntax.TakesSeveralWords ? [pair.Value]
                : pair.Value.Length == 0 ? []
                : pair.Value.Split(' ');
            if (!name.Word.TryRead(words, name.Word.TextIn(values), out var text, out var reason)
                || !name.Word.TryPut(ref values, text, out reason))
            {
                error = SetFailed(name.Text, reason);
                return false;
            }
        }

        return true;
    }

    /// <summary>Applies what changes, in the order of the command; what serves several keys once.</summary>
    private bool TryApply(ServerOptions previous, ServerOptions next, List<ConfigurationName> names, out string error)
    {
        error = "";
        var applied = new Stack<ApplyConfiguration>();
        foreach (var name in names)
        {
            foreach (var (key, apply) in _subscribers)
            {
                var isSame = previous.Values[key] == next.Values[key] && !key.IsVolatile;
                if (key != name.Word || isSame || applied.Contains(apply))
                {
                    continue;
                }

                if (apply(previous, next) is { } reason)
                {
                    error = SetFailed(name.Text, reason + TakeBack(applied, previous, next));
                    return false;
                }

                applied.Push(apply);
            }
        }

        return true;
    }

    /// <summary>Takes back what was applied; the text to add to the error when that fails.</summary>
    private static string TakeBack(Stack<ApplyConfiguration> applied, ServerOptions previous, ServerOptions next)
    {
        var failures = "";
        while (applied.TryPop(out var apply))
        {
            if (apply(next, previous) is { } reason)
            {
                failures += $"; the previous value could not be restored: {reason}";
            }
        }

        return failures;
    }
}
