using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>The users. Any thread; all takes a lock, and is for commands that are rare.</summary>
internal sealed class UserRegistry
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<string, UserSlot> _slots = new(StringComparer.Ordinal);
    private readonly ConfigurationStore _configuration;
    private MemoryCharge _charge;

    /// <summary>The default user alone, with the password of the configuration.</summary>
    /// <param name="vocabulary">The names of commands.</param>
    /// <param name="configuration">The configuration.</param>
    /// <param name="budget">What the users' memory is charged to.</param>
    public UserRegistry(CommandVocabulary vocabulary, ConfigurationStore configuration, MemoryBudget budget)
    {
        Vocabulary = vocabulary;
        _configuration = configuration;
        _charge = new MemoryCharge(budget);
        Default = new UserSlot(NewDefault());
        _slots[AccessUser.DefaultName] = Default;
        Charge(Default.Current.SizeBytes);
        SetDefaultPassword(configuration.Current.Requirepass);
    }

    /// <summary>The names that rules may have.</summary>
    public CommandVocabulary Vocabulary { get; }

    /// <summary>The user that every client is at first. It is never deleted.</summary>
    public UserSlot Default { get; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Whether a client must say who it is before it may do anything.</summary>
    public bool AsksForPassword => Default.Current is { NeedsNoPassword: false } or { IsEnabled: false };

    /// <summary>The users as they are now, by name.</summary>
    public IReadOnlyList<AccessUser> All
    {
        get
        {
            lock (_lock)
            {
                return [.. _slots.Values.Select(static slot => slot.Current)];
            }
        }
    }

    /// <summary>The place of a user; null where there is none of that name.</summary>
    public UserSlot? Find(ReadOnlySpan<byte> name) => Find(ConfigurationText.FromBytes(name));

    /// <inheritdoc cref="Find(ReadOnlySpan{byte})"/>
    public UserSlot? Find(string name)
    {
        lock (_lock)
        {
            return _slots.GetValueOrDefault(name);
        }
    }

    /// <summary>Changes a user, or makes one, by all of the rules or by none.</summary>
    /// <param name="name">The name.</param>
    /// <param name="words">The rules.</param>
    /// <param name="error">What is wrong with them; empty on success.</param>
    /// <returns>Whether it was done.</returns>
    public bool TrySet(string name, IReadOnlyList<string> words, out string error)
    {
        error = "";
        if (!UserRules.TryMerge(words, out var rules, out var unmatched))
        {
            error = $"Unmatched parenthesis in acl selector starting at '{words[unmatched]}'.";
            return false;
        }

        lock (_lock)
        {
            var slot = _slots.GetValueOrDefault(name);
            var draft = slot == null ? NewDraft() : NewDraft(slot.Current);
            foreach (var rule in rules)
            {
                if (draft.Apply(rule) is not RuleProblem.None and var problem)
                {
                    error = $"Error in ACL SETUSER modifier '{rule}': {problem.Text}";
                    return false;
                }
            }

            Put(name, new AccessUser(name, draft));
            return true;
        }
    }

    /// <summary>Deletes a user, if there is one of this name.</summary>
    /// <returns>Whether there was.</returns>
    public bool Delete(string name)
    {
        lock (_lock)
        {
            if (name == AccessUser.DefaultName || !_slots.Remove(name, out var slot))
            {
                return false;
            }

            Close(slot);
            return true;
        }
    }

    /// <summary>Gives the default user one password, or none: what requirepass says.</summary>
    public void SetDefaultPassword(ReadOnlyMemory<byte> password)
    {
        lock (_lock)
        {
            var draft = NewDraft(Default.Current);
            draft.Apply("resetpass");
            draft.Apply(password.IsEmpty ? "nopass" : $">{ConfigurationText.FromBytes(password.Span)}");
            Put(AccessUser.DefaultName, new AccessUser(AccessUser.DefaultName, draft));
        }
    }

    /// <summary>Takes the users of the configuration, or of the file that it names. For the start.</summary>
    /// <param name="log">Takes what may be a mistake.</param>
    /// <exception cref="StartupException">Something is wrong with one.</exception>
    public void LoadConfigured(ServerLog log)
    {
        foreach (var line in _configuration.Users)
        {
            var draft = NewDraft();
            if (Problem(line, draft) is { } problem)
            {
                throw new StartupException(ExitCode.Configuration, $"{line.Place}: {problem}");
            }

            lock (_lock)
            {
                Put(line.Name, new AccessUser(line.Name, draft));
            }

            if (!draft.IsEnabled)
            {
                log.UserIsDisabled(ConfigurationText.ToUnicode(line.Name));
            }
        }

        if (_configuration.Current.AclFile.Length > 0 && LoadFile() is { Length: > 0 } errors)
        {
            throw new StartupException(
                ExitCode.Configuration,
                $"Aborting startup because of ACL errors: {ConfigurationText.ToUnicode(errors)}");
        }
    }

    /// <summary>Has the users of the file, and no others. Waits for the disk.</summary>
    /// <returns>What is wrong with the file; then nothing was changed.</returns>
    public string LoadFile()
    {
        var errors = UserFile.Read(_configuration.Current.AclFile, NewDraft, out var users);
        if (errors.Length > 0)
        {
            return errors;
        }

        users.TryAdd(AccessUser.DefaultName, NewDefault());
        lock (_lock)
        {
            foreach (var (name, slot) in _slots.Where(pair => !users.ContainsKey(pair.Key)).ToList())
            {
                _slots.Remove(name);
                Close(slot);
            }

            foreach (var (name, user) in users)
            {
                Put(name, user);
            }
        }

        return "";
    }

    /// <summary>Writes the users into the file. Waits for the disk.</summary>
    /// <exception cref="IOException">It cannot be written; the old content stands.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be written.</exception>
    public void SaveFile()
        => ConfFileWriter.Replace(
            _configuration.Current.AclFile, [.. All.Select(static user => user.ToFileLine())]);

    /// <summary>The users as lines of the conf file; none where they stand in a file of their own.</summary>
    public IReadOnlyList<string> ToConfLines()
        => _configuration.Current.AclFile.Length > 0 ? [] : [.. All.Select(static user => user.ToConfLine())];

    /// <summary>A user that may do nothing yet.</summary>
    public UserDraft NewDraft() => new(Vocabulary, AllowsAllChannels);

    private AccessUser NewDefault()
    {
        var draft = NewDraft();
        foreach (var rule in (ReadOnlySpan<string>)["+@all", "~*", "&*", "on", "nopass"])
        {
            draft.Apply(rule);
        }

        return new AccessUser(AccessUser.DefaultName, draft);
    }

    /// <summary>Applies the rules of a line; what is wrong with them, or null.</summary>
    private static string? Problem(UserLine line, UserDraft draft)
    {
        if (RuleText.HasBlanks(line.Name))
        {
            return "Spaces not allowed in ACL usernames";
        }

        if (!UserRules.TryMerge(line.Rules, out var rules, out var unmatched))
        {
            return $"Unmatched parenthesis in acl selector starting at '{line.Rules[unmatched]}'";
        }

        foreach (var rule in rules)
        {
            if (draft.Apply(rule) is not RuleProblem.None and var problem)
            {
                var isPassword = rule is ['<' or '>', ..];
                var shown = isPassword ? $"{rule[0]}..." : ConfigurationText.ToUnicode(rule);
                return $"Error in user declaration '{shown}': {problem.Text}";
            }
        }

        return null;
    }

    private UserDraft NewDraft(AccessUser user) => new(Vocabulary, AllowsAllChannels, user);

    private bool AllowsAllChannels => _configuration.Current.AclAllowsAllChannels;

    private void Put(string name, AccessUser user)
    {
        if (_slots.TryGetValue(name, out var slot))
        {
            _charge.LeaveToCollector(slot.Current.SizeBytes);
            slot.Current = user;
        }
        else
        {
            _slots[name] = new UserSlot(user);
        }

        Charge(user.SizeBytes);
    }

    /// <summary>Takes all rights of a user that is deleted, whose clients are there for a moment yet.</summary>
    private void Close(UserSlot slot)
    {
        _charge.LeaveToCollector(slot.Current.SizeBytes);
        slot.Current = new AccessUser(slot.Current.Name, NewDraft());
        slot.IsDeleted = true;
    }

    private void Charge(long bytes) => _charge.Set(_charge.Bytes + bytes);
}
