using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>The users. Any thread; all takes a lock, and is for commands that are rare.</summary>
internal sealed class UserRegistry
{
    // Who takes long and was outrun by others: they are asked to come after it, and in the end are kept out.
    private const int PatientTries = 2;
    private const int MostTries = 8;

    private readonly Lock _lock = new();
    private SortedDictionary<string, UserSlot> _slots = new(StringComparer.Ordinal);
    private readonly ConfigurationStore _configuration;
    private MemoryCharge _charge;
    private long _changes;
    private volatile bool _isOutrun;

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

    /// <summary>Whether changes that take no time have outrun one that does: such are to wait for their turn now.
    /// </summary>
    public bool IsOutrun => _isOutrun;

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

    /// <summary>Changes a user, or makes one, by all of the rules or by none. What that takes is done apart: where the
    /// user is another one by then, it is done again with that one.</summary>
    /// <param name="name">The name.</param>
    /// <param name="words">The rules.</param>
    /// <param name="error">What is wrong with them; empty on success.</param>
    /// <returns>Whether it was done.</returns>
    public bool TrySet(string name, WordBuffer words, out string error)
    {
        using var rules = new WordBuffer();
        if (!UserRules.TryMerge(words, first: 0, rules, out var unmatched))
        {
            error = $"Unmatched parenthesis in acl selector starting at '{words.TextAt(unmatched)}'.";
            return false;
        }

        bool? isDone = null;
        var text = "";
        InsistOn(() => (isDone = TryOnce(name, rules, out text)) != null);
        error = text;
        return isDone!.Value;
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
            using var draft = NewDraft(Default.Current);
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
            using var draft = NewDraft();
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

    /// <summary>Has the users of the file, and no others. Waits for the disk, and for nobody: what it takes is done
    /// apart, and again where the users are others by then.</summary>
    /// <returns>What is wrong with the file; then nothing was changed.</returns>
    public string LoadFile()
    {
        var errors = UserFile.Read(_configuration.Current.AclFile, NewDraft, out var users);
        if (errors.Length > 0)
        {
            return errors;
        }

        users.TryAdd(AccessUser.DefaultName, NewDefault());
        InsistOn(() => TryExchange(users)); // If somebody changes one meanwhile, that is as if it were done before.
        return "";
    }

    /// <summary>Tries what fails when somebody else changes users meanwhile, until it is done.</summary>
    private void InsistOn(Func<bool> attempt)
    {
        for (var tries = 0; tries < MostTries; tries++)
        {
            if (attempt())
            {
                _isOutrun = false;
                return;
            }

            _isOutrun |= tries >= PatientTries;
        }

        lock (_lock)
        {
            _ = attempt();
            _isOutrun = false;
        }
    }

    /// <summary>Changes a user, or makes one, if nobody else changes it while that is made.</summary>
    /// <returns>Whether the rules are right; null where somebody else was faster.</returns>
    private bool? TryOnce(string name, WordBuffer rules, out string error)
    {
        var before = Find(name)?.Current;
        using var draft = before == null ? NewDraft() : NewDraft(before);
        for (var i = 0; i < rules.Count; i++)
        {
            if (draft.Apply(rules[i]) is not RuleProblem.None and var problem)
            {
                error = $"Error in ACL SETUSER modifier '{rules.TextAt(i)}': {problem.Text}";
                return false;
            }
        }

        error = "";
        var user = new AccessUser(name, draft);
        lock (_lock)
        {
            if (_slots.GetValueOrDefault(name)?.Current != before)
            {
                return null;
            }

            Put(name, user);
            return true;
        }
    }

    /// <summary>Has these users and no others, if nobody changes one while their places are made.</summary>
    private bool TryExchange(Dictionary<string, AccessUser> users)
    {
        KeyValuePair<string, UserSlot>[] before;
        long changes;
        lock (_lock)
        {
            before = [.. _slots];
            changes = _changes;
        }

        var next = new SortedDictionary<string, UserSlot>(StringComparer.Ordinal);
        var changed = new List<(UserSlot Slot, AccessUser User, bool IsDeleted)>(before.Length);
        foreach (var (name, slot) in before)
        {
            var stays = users.TryGetValue(name, out var user);
            changed.Add((slot, user ?? Powerless(name), !stays));
            if (stays)
            {
                next.Add(name, slot);
            }
        }

        foreach (var (name, user) in users)
        {
            _ = next.TryAdd(name, new UserSlot(user));
        }

        var bytes = users.Values.Sum(static user => user.SizeBytes);
        lock (_lock)
        {
            if (_changes != changes)
            {
                return false;
            }

            foreach (var (slot, user, isDeleted) in changed)
            {
                (slot.Current, slot.IsDeleted) = (user, isDeleted);
            }

            _slots = next;
            _changes++;
            _charge.LeaveToCollector(_charge.Bytes);
            Charge(bytes);
            return true;
        }
    }

    /// <summary>Writes the users into the file. Waits for the disk.</summary>
    /// <exception cref="IOException">It cannot be written; the old content stands.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be written.</exception>
    public void SaveFile()
        => ConfFileWriter.Replace(_configuration.Current.AclFile, file =>
        {
            var text = new UserText(file, isFile: true);
            foreach (var user in All)
            {
                text.Add(user);
                file.WriteByte((byte)'\n');
            }
        });

    /// <summary>The users as lines of the conf file; none where they stand in a file of their own.</summary>
    public IReadOnlyList<string> ToConfLines()
        => _configuration.Current.AclFile.Length > 0 ? [] : [.. All.Select(static user => user.ToConfLine())];

    /// <summary>A user that may do nothing yet.</summary>
    public UserDraft NewDraft() => new(Vocabulary, AllowsAllChannels);

    private AccessUser Powerless(string name)
    {
        using var draft = NewDraft();
        return new AccessUser(name, draft);
    }

    private AccessUser NewDefault()
    {
        using var draft = NewDraft();
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

        using var words = new WordBuffer();
        using var rules = new WordBuffer();
        foreach (var word in line.Rules)
        {
            words.Add(ConfigurationText.ToBytes(word));
        }

        if (!UserRules.TryMerge(words, first: 0, rules, out var unmatched))
        {
            return $"Unmatched parenthesis in acl selector starting at '{line.Rules[unmatched]}'";
        }

        for (var i = 0; i < rules.Count; i++)
        {
            var rule = rules.TextAt(i);
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
        _changes++;
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
        _changes++;
        _charge.LeaveToCollector(slot.Current.SizeBytes);
        slot.Current = Powerless(slot.Current.Name);
        slot.IsDeleted = true;
    }

    private void Charge(long bytes) => _charge.Set(_charge.Bytes + bytes);
}
