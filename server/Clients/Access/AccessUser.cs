using System.Security.Cryptography;
using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Access;

/// <summary>Who a client may be, and what that one may do. Immutable: a change makes another one, which takes its place
/// as a whole (<see cref="UserSlot"/>).</summary>
internal sealed class AccessUser
{
    /// <summary>The user that clients are who have not said otherwise.</summary>
    public const string DefaultName = "default";

    // The object, that with its passwords, its slot, and where that is found by name.
    private const int OwnBytes = 240;

    private readonly AccessSelector[] _selectors;
    private readonly WordBuffer _passwords;

    internal AccessUser(string name, UserDraft draft)
    {
        Name = name;
        IsEnabled = draft.IsEnabled;
        NeedsNoPassword = draft.NeedsNoPassword;
        SkipsSanitizing = draft.SkipsSanitizing;
        _passwords = draft.BuildPasswords();
        _selectors = draft.BuildSelectors();
        AllowsAll = Array.Exists(_selectors, static selector => selector.AllowsAll);
        SizeBytes = OwnBytes + ManagedSize.OfString(name.Length) + _passwords.SizeBytes
            + ManagedSize.OfArray(_selectors.Length) + _selectors.Sum(static selector => selector.SizeBytes);
    }

    /// <summary>The name, one character a byte.</summary>
    public string Name { get; }

    /// <summary>Whether clients may become this user.</summary>
    public bool IsEnabled { get; }

    /// <summary>Whether any password will do.</summary>
    public bool NeedsNoPassword { get; }

    /// <summary>Whether the payloads of RESTORE need not be looked at. They are, all the same.</summary>
    public bool SkipsSanitizing { get; }

    /// <summary>Whether nothing is forbidden.</summary>
    public bool AllowsAll { get; }

    /// <summary>Memory, bytes, about.</summary>
    public long SizeBytes { get; }

    /// <summary>What the user may do: what any of these allows, and first the one of the rules outside of parentheses.
    /// </summary>
    public IReadOnlyList<AccessSelector> Selectors => _selectors;

    /// <summary>SHA-256 of each password.</summary>
    public WordBuffer Passwords => _passwords;

    /// <summary>The words of the user's flags.</summary>
    public IEnumerable<string> FlagNames
    {
        get
        {
            yield return IsEnabled ? "on" : "off";
            if (NeedsNoPassword)
            {
                yield return "nopass";
            }

            yield return SkipsSanitizing ? "skip-sanitize-payload" : "sanitize-payload";
        }
    }

    /// <summary>Whether a password is the user's. All are compared, each in the same time whatever it is.</summary>
    public bool IsPassword(ReadOnlySpan<byte> password)
    {
        if (NeedsNoPassword)
        {
            return true;
        }

        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        Digests.Sha256(password, hash);
        var isOne = false;
        for (var i = 0; i < _passwords.Count; i++)
        {
            isOne |= CryptographicOperations.FixedTimeEquals(hash, _passwords[i]);
        }

        GC.KeepAlive(this);
        return isOne;
    }

    /// <summary>What the user is refused in a command, if every selector refuses it: of several reasons the highest,
    /// and of those the last argument.</summary>
    public AccessDenial Check(CommandRow row, in Request request)
    {
        var worst = new AccessDenial(DenialReason.Command, 0);
        foreach (var selector in _selectors)
        {
            var denial = selector.Check(row, request);
            if (denial.IsNone)
            {
                return denial;
            }

            if (denial.Reason > worst.Reason || (denial.Reason == worst.Reason && denial.Index > worst.Index))
            {
                worst = denial;
            }
        }

        return worst;
    }

    /// <inheritdoc cref="AccessSelector.AllowsCommand"/>
    public bool AllowsCommand(CommandRow row) => Array.Exists(_selectors, selector => selector.AllowsCommand(row));

    /// <inheritdoc cref="AccessSelector.AllowsOfOneKey"/>
    public bool AllowsOfOneKey(CommandRow row, in Request request)
    {
        foreach (var selector in _selectors)
        {
            if (selector.AllowsOfOneKey(row, request))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a command is allowed that reads keys which it does not name.</summary>
    public bool AllowsReadingAll(CommandRow row, in Request request)
    {
        foreach (var selector in _selectors)
        {
            if (selector.MayRead && selector.Check(row, request).IsNone)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a command is allowed that tells of keys which it does not name, and may tell of this one.
    /// </summary>
    /// <param name="row">The command.</param>
    /// <param name="key">The key, or what it begins with.</param>
    /// <param name="isWhole">Whether it is the key: of another one only who may read all of them is told.</param>
    public bool AllowsTellingOf(CommandRow row, ReadOnlySpan<byte> key, bool isWhole)
    {
        foreach (var selector in _selectors)
        {
            if (isWhole ? selector.AllowsTellingOf(row, key) : selector.MayRead && selector.AllowsCommand(row))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a channel may be named.</summary>
    public bool AllowsChannel(ReadOnlySpan<byte> channel, bool isPattern)
    {
        foreach (var selector in _selectors)
        {
            if (selector.AllowsChannel(channel, isPattern))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The user as a line of a conf file, whose words are quoted where they have to be.</summary>
    public string ToConfLine()
        => string.Join(' ', ToFileLine().Split(' ').Select(
            static word => word.AsSpan().ContainsAnyExceptInRange('!', '~') || word.AsSpan().ContainsAny("\"'\\")
                ? QuotedWords.Quote(word)
                : word));

    /// <summary>The user as a line of a file of users, which makes the same user when it is read.</summary>
    public string ToFileLine()
        => ConfigurationText.FromBytes(UserText.Of(isFile: true, text => text.Add(this)));

    /// <summary>The user as ACL LIST gives it.</summary>
    public byte[] ToLine() => UserText.Of(isFile: false, text => text.Add(this));

    /// <inheritdoc/>
    public override string ToString() => ConfigurationText.FromBytes(ToLine());
}
