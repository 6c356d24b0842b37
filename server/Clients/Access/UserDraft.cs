using System.Buffers;
using System.Security.Cryptography;
using Strata.Server.Options;
using Strata.Server.Text;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Access;

/// <summary>A user that is being made, rule by rule.</summary>
internal sealed class UserDraft
{
    private const int HashCharacters = 2 * SHA256.HashSizeInBytes;

    private static readonly SearchValues<char> s_digits = SearchValues.Create("0123456789abcdef");

    private readonly CommandVocabulary _vocabulary;
    private readonly bool _allowsAllChannels;
    private readonly List<AccessSelector> _others = [];
    private SelectorDraft _root;

    /// <summary>A user that may do nothing.</summary>
    /// <param name="vocabulary">The names of commands.</param>
    /// <param name="allowsAllChannels">Whether all channels are allowed where no rule speaks of any.</param>
    public UserDraft(CommandVocabulary vocabulary, bool allowsAllChannels)
    {
        _vocabulary = vocabulary;
        _allowsAllChannels = allowsAllChannels;
        _root = new SelectorDraft(vocabulary, allowsAllChannels);
    }

    /// <summary>A user to be changed.</summary>
    public UserDraft(CommandVocabulary vocabulary, bool allowsAllChannels, AccessUser user)
        : this(vocabulary, allowsAllChannels)
    {
        IsEnabled = user.IsEnabled;
        NeedsNoPassword = user.NeedsNoPassword;
        SkipsSanitizing = user.SkipsSanitizing;
        foreach (var hash in user.Passwords)
        {
            Passwords.Set(Convert.ToHexStringLower(hash), hash);
        }

        _root = new SelectorDraft(vocabulary, user.Selectors[0]);
        _others.AddRange(user.Selectors.Skip(1));
    }

    /// <inheritdoc cref="AccessUser.IsEnabled"/>
    public bool IsEnabled { get; private set; }

    /// <inheritdoc cref="AccessUser.NeedsNoPassword"/>
    public bool NeedsNoPassword { get; private set; }

    /// <inheritdoc cref="AccessUser.SkipsSanitizing"/>
    public bool SkipsSanitizing { get; private set; }

    /// <summary>SHA-256 of each password, by itself as hexadecimal digits.</summary>
    public OrderedMap<byte[]> Passwords { get; } = new();

    /// <summary>The selectors as they are by now.</summary>
    public AccessSelector[] BuildSelectors() => [new(_root), .. _others];

    /// <summary>Takes a rule; an empty one says nothing.</summary>
    public RuleProblem Apply(string rule)
    {
        switch (ConfigurationText.ToLower(rule))
        {
            case "":
                return RuleProblem.None;
            case "on" or "off":
                IsEnabled = rule.Length == 2;
                return RuleProblem.None;
            case "skip-sanitize-payload":
                SkipsSanitizing = true;
                return RuleProblem.None;
            case "sanitize-payload":
                SkipsSanitizing = false;
                return RuleProblem.None;
            case "nopass":
                SetPasswords(areNone: true);
                return RuleProblem.None;
            case "resetpass":
                SetPasswords(areNone: false);
                return RuleProblem.None;
            case "clearselectors":
                _others.Clear();
                return RuleProblem.None;
            case "reset":
                Reset();
                return RuleProblem.None;
        }

        return rule switch
        {
            ['>' or '#', ..] => AddPassword(rule),
            ['<' or '!', ..] => RemovePassword(rule),
            ['(', .., ')'] => AddSelector(rule[1..^1]),
            _ => _root.Apply(rule),
        };
    }

    private void SetPasswords(bool areNone)
    {
        NeedsNoPassword = areNone;
        Passwords.Clear();
    }

    private void Reset()
    {
        SetPasswords(areNone: false);
        IsEnabled = false;
        SkipsSanitizing = false;
        _others.Clear();
        _root = new SelectorDraft(_vocabulary, _allowsAllChannels);
    }

    private RuleProblem AddPassword(string rule)
    {
        if (rule[0] == '>' && rule.Length - 1 > ServerLimits.LongestCredentialBytes)
        {
            return RuleProblem.PasswordTooLong;
        }

        if (!TryHash(rule, '>', out var hash))
        {
            return RuleProblem.WrongHash;
        }

        Passwords.Set(Convert.ToHexStringLower(hash), hash);
        NeedsNoPassword = false;
        return RuleProblem.None;
    }

    private RuleProblem RemovePassword(string rule)
        => !TryHash(rule, '<', out var hash) ? RuleProblem.WrongHash
            : Passwords.Remove(Convert.ToHexStringLower(hash)) ? RuleProblem.None
            : RuleProblem.NoSuchPassword;

    /// <summary>Reads a password, or the hash of one.</summary>
    private static bool TryHash(string rule, char plain, out byte[] hash)
    {
        var text = rule.AsSpan(1);
        if (rule[0] == plain)
        {
            hash = new byte[SHA256.HashSizeInBytes];
            Digests.Sha256(ConfigurationText.ToBytes(rule[1..]), hash);
            return true;
        }

        var isHash = text.Length == HashCharacters && !text.ContainsAnyExcept(s_digits);
        hash = isHash ? Convert.FromHexString(text) : [];
        return isHash;
    }

    private RuleProblem AddSelector(string rules)
    {
        var selector = new SelectorDraft(_vocabulary, _allowsAllChannels);
        if (QuotedWords.TrySplit(rules, out var words))
        {
            foreach (var rule in words)
            {
                if (selector.Apply(rule) is not RuleProblem.None and var problem)
                {
                    return problem;
                }
            }
        }

        _others.Add(new AccessSelector(selector));
        return RuleProblem.None;
    }
}
