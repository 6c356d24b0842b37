using System.Security.Cryptography;
using Strata.Server.Options;
using Strata.Server.Text;

namespace Strata.Server.Clients.Access;

/// <summary>Writes users as words, one behind the other and never all at once in memory: as ACL LIST and GETUSER show
/// them, or as a file of users has them.</summary>
/// <param name="output">Where to.</param>
/// <param name="isFile">Whether it is a file.</param>
internal sealed class UserText(Stream output, bool isFile)
{
    private bool _isFirst = true;
    private bool _isQuoted;

    /// <summary>A user: a line, without its end.</summary>
    public void Add(AccessUser user)
    {
        _isFirst = true;
        Word(ConfigurationText.ToBytes(UserLine.Directive));
        Word(ConfigurationText.ToBytes(user.Name));
        foreach (var flag in user.FlagNames)
        {
            Word(ConfigurationText.ToBytes(flag));
        }

        Span<byte> digits = stackalloc byte[2 * SHA256.HashSizeInBytes];
        for (var i = 0; i < user.Passwords.Count; i++)
        {
            _ = Convert.TryToHexStringLower(user.Passwords[i], digits, out _);
            Word("#"u8, digits);
        }

        Add(user.Selectors[0]);
        foreach (var selector in user.Selectors.Skip(1))
        {
            Separate();
            output.Write("("u8);
            (_isFirst, _isQuoted) = (true, true);
            Add(selector);
            _isQuoted = false;
            output.Write(")"u8);
        }

        GC.KeepAlive(user);
    }

    /// <summary>The rules about keys.</summary>
    public void AddKeys(AccessSelector selector)
    {
        if (selector.AllowsAllKeys)
        {
            Word("~*"u8);
        }

        for (var i = 0; i < selector.Keys.Count; i++)
        {
            Word(SignOf(AccessPattern.RightsOf(selector.Keys.MarkOf(i)), selector.Keys[i]), selector.Keys[i]);
        }

        GC.KeepAlive(selector);
    }

    /// <summary>The rules about channels.</summary>
    public void AddChannels(AccessSelector selector)
    {
        if (selector.AllowsAllChannels)
        {
            Word("&*"u8);
        }

        for (var i = 0; i < selector.Channels.Count; i++)
        {
            Word("&"u8, selector.Channels[i]);
        }

        GC.KeepAlive(selector);
    }

    /// <summary>The rules about commands.</summary>
    public void AddCommands(AccessSelector selector)
    {
        Word(selector.BeginsWithAll ? "+@all"u8 : "-@all"u8);
        foreach (var rule in selector.Rules)
        {
            Word(ConfigurationText.ToBytes(rule));
        }
    }

    /// <summary>What is written, as bytes.</summary>
    /// <param name="isFile">Whether it is as in a file.</param>
    /// <param name="write">Writes it.</param>
    public static byte[] Of(bool isFile, Action<UserText> write)
    {
        using var text = new MemoryStream();
        write(new UserText(text, isFile));
        return text.ToArray();
    }

    private void Add(AccessSelector selector)
    {
        AddKeys(selector);
        if (!selector.AllowsAllChannels)
        {
            Word("resetchannels"u8);
        }

        AddChannels(selector);
        AddCommands(selector);
    }

    /// <summary>The sign before a pattern of keys. Behind ~* no other pattern is taken: where one may follow, since all
    /// keys were allowed by their rights, it is these that a file has.</summary>
    private ReadOnlySpan<byte> SignOf(KeyRights rights, ReadOnlySpan<byte> pattern) => rights switch
    {
        KeyRights.Read => "%R~"u8,
        KeyRights.Write => "%W~"u8,
        _ when isFile && pattern.SequenceEqual("*"u8) => "%RW~"u8,
        _ => "~"u8,
    };

    private void Word(ReadOnlySpan<byte> word) => Word(word, default);

    /// <summary>Within parentheses words are unquoted when they are read, and the last one ends with a parenthesis.
    /// </summary>
    private void Word(ReadOnlySpan<byte> sign, ReadOnlySpan<byte> word)
    {
        Separate();
        if (_isQuoted && (sign.ContainsAny("\"'"u8) || word.ContainsAny("\"'"u8) || EndsWithParenthesis(sign, word)))
        {
            var whole = ConfigurationText.FromBytes(sign) + ConfigurationText.FromBytes(word);
            output.Write(ConfigurationText.ToBytes(QuotedWords.Quote(whole)));
            return;
        }

        output.Write(sign);
        output.Write(word);
    }

    private static bool EndsWithParenthesis(ReadOnlySpan<byte> sign, ReadOnlySpan<byte> word)
        => (word.IsEmpty ? sign : word).EndsWith(")"u8);

    private void Separate()
    {
        if (!_isFirst)
        {
            output.Write(" "u8);
        }

        _isFirst = false;
    }
}
