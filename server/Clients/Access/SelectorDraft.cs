using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Clients.Access;

/// <summary>A selector that is being made, rule by rule.</summary>
internal sealed class SelectorDraft : IDisposable
{
    private readonly CommandVocabulary _vocabulary;
    private readonly ulong[] _commands;
    private readonly Dictionary<int, OrderedMap<bool>> _firstArguments = [];

    /// <summary>A selector that allows nothing, but all channels if that is the rule of the server.</summary>
    public SelectorDraft(CommandVocabulary vocabulary, bool allowsAllChannels)
    {
        _vocabulary = vocabulary;
        _commands = new ulong[vocabulary.Words];
        AllowsAllChannels = allowsAllChannels;
    }

    /// <summary>A selector to be changed.</summary>
    public SelectorDraft(CommandVocabulary vocabulary, AccessSelector selector)
        : this(vocabulary, selector.AllowsAllChannels)
    {
        selector.Commands.CopyTo(_commands);
        AllowsAllKeys = selector.AllowsAllKeys;
        BeginsWithAll = selector.BeginsWithAll;
        foreach (var rule in selector.Rules)
        {
            Rules.Add(rule[1..], rule[0] == '+');
        }

        Keys = new WordTable(selector.Keys);
        Channels = new WordTable(selector.Channels);

        foreach (var (command, words) in selector.FirstArguments)
        {
            foreach (var word in words)
            {
                AddFirstArgument(command, word);
            }
        }
    }

    /// <summary>Whether every key may be named.</summary>
    public bool AllowsAllKeys { get; private set; }

    /// <summary>Whether every channel may be named.</summary>
    public bool AllowsAllChannels { get; private set; }

    /// <summary>Whether every command may be executed.</summary>
    public bool AllowsAllCommands => _vocabulary.AreAll(_commands);

    /// <inheritdoc cref="AccessSelector.BeginsWithAll"/>
    public bool BeginsWithAll { get; private set; }

    /// <summary>What was said about commands.</summary>
    public CommandRules Rules { get; } = new();

    /// <summary>Patterns of keys that may be named, each with its <see cref="AccessPattern.MarkOf"/>.</summary>
    public WordTable Keys { get; } = new();

    /// <summary>Likewise of channels.</summary>
    public WordTable Channels { get; } = new();

    /// <inheritdoc/>
    public void Dispose()
    {
        Keys.Dispose();
        Channels.Dispose();
    }

    /// <summary>The commands' bits.</summary>
    public ulong[] CopyCommands() => [.. _commands];

    /// <inheritdoc cref="AccessSelector.FirstArguments"/>
    public Dictionary<int, string[]> CopyFirstArguments()
        => _firstArguments.ToDictionary(
            static pair => pair.Key, static pair => pair.Value.InOrder.Select(static word => word.Key).ToArray());

    /// <summary>Takes a rule. Of patterns, of which there may be very many, no objects are made.</summary>
    public RuleProblem Apply(ReadOnlySpan<byte> rule)
        => rule.IsEmpty ? RuleProblem.Syntax : rule[0] switch
        {
            (byte)'~' or (byte)'%' => AddKeys(rule),
            (byte)'&' => AddChannels(rule[1..]),
            _ => Apply(ConfigurationText.FromBytes(rule)),
        };

    private RuleProblem Apply(string rule)
    {
        switch (ConfigurationText.ToLower(rule))
        {
            case "allkeys":
                SetAllKeys(true);
                return RuleProblem.None;
            case "resetkeys":
                SetAllKeys(false);
                return RuleProblem.None;
            case "allchannels":
                SetAllChannels(true);
                return RuleProblem.None;
            case "resetchannels":
                SetAllChannels(false);
                return RuleProblem.None;
            case "allcommands" or "+@all":
                SetAllCommands(true);
                return RuleProblem.None;
            case "nocommands" or "-@all":
                SetAllCommands(false);
                return RuleProblem.None;
        }

        return rule switch
        {
            ['+' or '-', '@', ..] => SetCategory(rule[2..], rule[0] == '+'),
            ['+', ..] when rule.Contains('|', StringComparison.Ordinal) => AllowPart(rule[1..]),
            ['+' or '-', ..] => SetCommand(rule[1..], rule[0] == '+'),
            _ => RuleProblem.Syntax,
        };
    }

    private void SetAllKeys(bool isAllowed)
    {
        AllowsAllKeys = isAllowed;
        Keys.Clear();
    }

    private void SetAllChannels(bool isAllowed)
    {
        AllowsAllChannels = isAllowed;
        Channels.Clear();
    }

    private void SetAllCommands(bool isAllowed)
    {
        BeginsWithAll = isAllowed;
        Rules.Clear();
        foreach (var row in _vocabulary.Commands)
        {
            Set(row, isAllowed);
        }

        _firstArguments.Clear();
    }

    private RuleProblem AddKeys(ReadOnlySpan<byte> rule)
    {
        if (rule.SequenceEqual("~*"u8))
        {
            SetAllKeys(true);
            return RuleProblem.None;
        }

        if (AllowsAllKeys)
        {
            return RuleProblem.KeysAfterAll;
        }

        if (!TryReadRights(rule, out var rights, out var pattern) || RuleText.HasBlanks(pattern))
        {
            return RuleProblem.Syntax;
        }

        var before = Keys.TryGet(pattern, out var known) ? AccessPattern.RightsOf(known) : KeyRights.None;
        Keys.Set(pattern, AccessPattern.MarkOf(pattern, before | rights));
        return RuleProblem.None;
    }

    private static bool TryReadRights(ReadOnlySpan<byte> rule, out KeyRights rights, out ReadOnlySpan<byte> pattern)
    {
        rights = rule[0] == '~' ? KeyRights.All : KeyRights.None;
        var at = 1;
        for (; rule[0] == '%' && at < rule.Length && rule[at] != '~'; at++)
        {
            var right = rule[at] switch
            {
                (byte)'R' or (byte)'r' => KeyRights.Read,
                (byte)'W' or (byte)'w' => KeyRights.Write,
                _ => KeyRights.None,
            };
            if (right == KeyRights.None || (rights & right) != 0)
            {
                pattern = default;
                return false;
            }

            rights |= right;
        }

        pattern = rule[(rule[0] == '%' ? Math.Min(at + 1, rule.Length) : 1)..];
        return rights != KeyRights.None;
    }

    private RuleProblem AddChannels(ReadOnlySpan<byte> pattern)
    {
        if (pattern.SequenceEqual("*"u8))
        {
            SetAllChannels(true);
            return RuleProblem.None;
        }

        if (AllowsAllChannels)
        {
            return RuleProblem.ChannelsAfterAll;
        }

        if (RuleText.HasBlanks(pattern))
        {
            return RuleProblem.Syntax;
        }

        Channels.Set(pattern, AccessPattern.MarkOf(pattern, KeyRights.None));
        return RuleProblem.None;
    }

    private RuleProblem SetCategory(string name, bool isAllowed)
    {
        var category = AclCategoryNames.Find(name);
        if (category == AclCategories.None)
        {
            return RuleProblem.UnknownCommand;
        }

        foreach (var row in _vocabulary.Commands)
        {
            if ((row.AllCategories & category) != 0)
            {
                Set(row, isAllowed);
            }

            foreach (var subcommand in row.Subcommands?.Rows ?? [])
            {
                if ((subcommand.AllCategories & category) != 0)
                {
                    Set(subcommand, isAllowed);
                }
            }
        }

        Rules.Add($"@{ConfigurationText.ToLower(name)}", isAllowed);
        return RuleProblem.None;
    }

    private RuleProblem SetCommand(string name, bool isAllowed)
    {
        if (!_vocabulary.TryFind(name, out var row))
        {
            return RuleProblem.UnknownCommand;
        }

        if (row != null)
        {
            Set(row, isAllowed);
        }

        Rules.Add(ConfigurationText.ToLower(name), isAllowed);
        return RuleProblem.None;
    }

    /// <summary>Allows a subcommand, or a command with a first argument only.</summary>
    private RuleProblem AllowPart(string rule)
    {
        var bar = rule.LastIndexOf('|');
        if (!_vocabulary.TryFind(rule[..bar], out var row))
        {
            return RuleProblem.UnknownCommand;
        }

        if (row?.Container != null || (row == null && rule.IndexOf('|') < bar))
        {
            return RuleProblem.ArgumentOfSubcommand;
        }

        // Of an argument with blanks a file of users would be read as several rules.
        if (bar == rule.Length - 1 || RuleText.HasBlanks(rule[bar..]))
        {
            return RuleProblem.Syntax;
        }

        if (row?.Subcommands != null)
        {
            return SetCommand(rule, isAllowed: true);
        }

        if (row != null)
        {
            AddFirstArgument(row.Index, rule[(bar + 1)..]);
        }

        Rules.Add(ConfigurationText.ToLower(rule), isAllowed: true);
        return RuleProblem.None;
    }

    private void AddFirstArgument(int command, string word)
    {
        if (!_firstArguments.TryGetValue(command, out var words))
        {
            _firstArguments[command] = words = new OrderedMap<bool>();
        }

        words.Set(ConfigurationText.ToLower(word), true);
    }

    private void Set(CommandRow row, bool isAllowed)
    {
        SetBit(row.Index, isAllowed);
        _firstArguments.Remove(row.Index);
        foreach (var subcommand in row.Subcommands?.Rows ?? [])
        {
            SetBit(subcommand.Index, isAllowed);
        }
    }

    private void SetBit(int index, bool isAllowed)
    {
        var bit = 1UL << (index & 63);
        _commands[index >> 6] = isAllowed ? _commands[index >> 6] | bit : _commands[index >> 6] & ~bit;
    }
}
