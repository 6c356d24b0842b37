using System.Buffers;
using System.Security.Cryptography;
using Strata.Server.Options;
using Strata.Server.Text;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Access;

/// <summary>A user that is being made, rule by rule.</summary>
internal sealed class UserDraft : IDisposable
{
    private const int HashCharacters = 2 * SHA256.HashSizeInBytes;

    private static readonly SearchValues<byte> s_digits = SearchValues.Create("0123456789abcdef"u8);

    private readonly CommandVocabulary _vocabulary;
    private readonly bool _allowsAllChannels;
    private readonly List<AccessSelector> _others = [];
    private readonly AccessUser? _user;
    private SelectorDraft? _root;
    private WordTable? _passwords;

    /// <summary>A user that may do nothing.</summary>
    /// <param name="vocabulary">The names of commands.</param>
    /// <param name="allowsAllChannels">Whether all channels are allowed where no rule speaks of any.</param>
    public UserDraft(CommandVocabulary vocabulary, bool allowsAllChannels)
    {
        _vocabulary = vocabulary;
        _allowsAllChannels = allowsAllChannels;
    }

    /// <summary>A user to be changed. What no rule speaks of is not looked at, however much it is.</summary>
    public UserDraft(CommandVocabulary vocabulary, bool allowsAllChannels, AccessUser user)
        : this(vocabulary, allowsAllChannels)
    {
        IsEnabled = user.IsEnabled;
        NeedsNoPassword = user.NeedsNoPassword;
        SkipsSanitizing = user.SkipsSanitizing;
        _user = user;
        _others.AddRange(user.Selectors.Skip(1));
    }

    /// <inheritdoc cref="AccessUser.IsEnabled"/>
    public bool IsEnabled { get; private set; }

    /// <inheritdoc cref="AccessUser.NeedsNoPassword"/>
    public bool NeedsNoPassword { get; private set; }

    /// <inheritdoc cref="AccessUser.SkipsSanitizing"/>
    public bool SkipsSanitizing { get; private set; }

    /// <summary>The selectors as they are by now.</summary>
    public AccessSelector[] BuildSelectors()
        => [_root == null && _user != null ? _user.Selectors[0] : new(Root), .. _others];

    /// <summary>SHA-256 of each password.</summary>
    public WordBuffer BuildPasswords()
        => _passwords == null && _user != null ? _user.Passwords : Passwords.ToBuffer();

    private SelectorDraft Root => _root ??= _user == null
        ? new SelectorDraft(_vocabulary, _allowsAllChannels)
        : new SelectorDraft(_vocabulary, _user.Selectors[0]);

    private WordTable Passwords => _passwords ??= _user == null ? new WordTable() : new WordTable(_user.Passwords);

    /// <inheritdoc/>
    public void Dispose()
    {
        _root?.Dispose();
        _passwords?.Dispose();
    }

    /// <summary>Takes a rule; an empty one says nothing.</summary>
    public RuleProblem Apply(string rule) => Apply(ConfigurationText.ToBytes(rule));

    /// <inheritdoc cref="Apply(string)"/>
    public RuleProblem Apply(ReadOnlySpan<byte> rule) => rule switch
    {
        [] => RuleProblem.None,
        [(byte)'>' or (byte)'#', ..] => AddPassword(rule),
        [(byte)'<' or (byte)'!', ..] => RemovePassword(rule),
        [(byte)'(', .., (byte)')'] => AddSelector(ConfigurationText.FromBytes(rule[1..^1])),
        [(>= (byte)'a' and <= (byte)'z') or (>= (byte)'A' and <= (byte)'Z'), ..] => ApplyWord(rule),
        _ => Root.Apply(rule),
    };

    private RuleProblem ApplyWord(ReadOnlySpan<byte> rule)
    {
        switch (ConfigurationText.ToLower(ConfigurationText.FromBytes(rule)))
        {
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

        return Root.Apply(rule);
    }

    private void SetPasswords(bool areNone)
    {
        NeedsNoPassword = areNone;
        _passwords?.Dispose();
        _passwords = new WordTable();
    }

    private void Reset()
    {
        SetPasswords(areNone: false);
        IsEnabled = false;
        SkipsSanitizing = false;
        _others.Clear();
        _root?.Dispose();
        _root = new SelectorDraft(_vocabulary, _allowsAllChannels);
    }

    private RuleProblem AddPassword(ReadOnlySpan<byte> rule)
    {
        if (rule[0] == '>' && rule.Length - 1 > ServerLimits.LongestCredentialBytes)
        {
            return RuleProblem.PasswordTooLong;
        }

        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        if (!TryHash(rule, '>', hash))
        {
            return RuleProblem.WrongHash;
        }

        Passwords.Set(hash, mark: 0);
        NeedsNoPassword = false;
        return RuleProblem.None;
    }

    private RuleProblem RemovePassword(ReadOnlySpan<byte> rule)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        return !TryHash(rule, '<', hash) ? RuleProblem.WrongHash
            : Passwords.Remove(hash) ? RuleProblem.None
            : RuleProblem.NoSuchPassword;
    }

    /// <summary>Reads a password, or the hash of one.</summary>
    private static bool TryHash(ReadOnlySpan<byte> rule, char plain, Span<byte> hash)
    {
        var text = rule[1..];
        if (rule[0] == plain)
        {
            Digests.Sha256(text, hash);
            return true;
        }

        return text.Length == HashCharacters && !text.ContainsAnyExcept(s_digits)
            && Convert.FromHexString(text, hash, out _, out _) == OperationStatus.Done;
    }

    private RuleProblem AddSelector(string rules)
    {
        using var selector = new SelectorDraft(_vocabulary, _allowsAllChannels);
        if (QuotedWords.AreWords(rules))
        {
            foreach (var rule in QuotedWords.Split(rules))
            {
                if (selector.Apply(ConfigurationText.ToBytes(rule)) is not RuleProblem.None and var problem)
                {
                    return problem;
                }
            }
        }

        _others.Add(new AccessSelector(selector));
        return RuleProblem.None;
    }
}
