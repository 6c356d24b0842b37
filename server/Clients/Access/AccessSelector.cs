using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>Commands together with the keys and channels that they may name: what a user may do is what one of its
/// selectors allows. Immutable.</summary>
internal sealed class AccessSelector
{
    // The object, that which shows its rules, and a dictionary without entries.
    private const int OwnBytes = 176;

    // A reference and the rights.
    private const int BytesPerKeyRule = 16;

    // Of the dictionary.
    private const int BytesPerEntry = 64;

    private readonly ulong[] _commands;
    private readonly Dictionary<int, string[]> _firstArguments;
    private readonly KeyRule[] _keys;
    private readonly AccessPattern[] _channels;

    internal AccessSelector(SelectorDraft draft)
    {
        _commands = draft.CopyCommands();
        _firstArguments = draft.CopyFirstArguments();
        _keys = [.. draft.Keys.Values];
        _channels = [.. draft.Channels.Values];
        AllowsAllKeys = draft.AllowsAllKeys;
        AllowsAllChannels = draft.AllowsAllChannels;
        AllowsAllCommands = draft.AllowsAllCommands;
        BeginsWithAll = draft.BeginsWithAll;
        Rules = [.. draft.Rules.InOrder];
        MayRead = AllowsAllKeys || Array.Exists(
            _keys, static rule => rule.Pattern.IsEverything && (rule.Rights & KeyRights.Read) != 0);
    }

    /// <summary>Whether every command may be executed.</summary>
    public bool AllowsAllCommands { get; }

    /// <summary>Whether every key may be named.</summary>
    public bool AllowsAllKeys { get; }

    /// <summary>Whether every channel may be named.</summary>
    public bool AllowsAllChannels { get; }

    /// <summary>Whether nothing is forbidden.</summary>
    public bool AllowsAll => AllowsAllCommands && AllowsAllKeys && AllowsAllChannels;

    /// <summary>Whether every key may be read, also one that the command does not name.</summary>
    public bool MayRead { get; }

    /// <summary>Whether the rules begin with all commands, and take some away.</summary>
    public bool BeginsWithAll { get; }

    /// <summary>What was said about commands since all or none were allowed.</summary>
    public IReadOnlyList<string> Rules { get; }

    /// <summary>The keys that may be named, where not all may.</summary>
    public IReadOnlyList<KeyRule> Keys => _keys;

    /// <summary>The channels that may be named, where not all may.</summary>
    public IReadOnlyList<AccessPattern> Channels => _channels;

    /// <summary>The commands' bits.</summary>
    public ReadOnlySpan<ulong> Commands => _commands;

    /// <summary>The first arguments with which commands may be executed that may not be otherwise, by the commands'
    /// numbers.</summary>
    public IReadOnlyDictionary<int, string[]> FirstArguments => _firstArguments;

    /// <summary>Memory, bytes, about.</summary>
    public long SizeBytes
        => OwnBytes + ManagedSize.OfArray(_commands.Length)
            + ManagedSize.OfArray(_keys.Length, BytesPerKeyRule) + _keys.Sum(static rule => rule.Pattern.SizeBytes)
            + ManagedSize.OfArray(_channels.Length) + _channels.Sum(static channel => channel.SizeBytes)
            + BytesOf(Rules) + _firstArguments.Values.Sum(static words => BytesPerEntry + BytesOf(words));

    /// <summary>What the selector refuses in a command.</summary>
    public AccessDenial Check(CommandRow row, in Request request)
    {
        if (!Allows(row, request))
        {
            return new(DenialReason.Command, 0);
        }

        if (!AllowsAllKeys)
        {
            foreach (var key in new RequestKeys(row, request))
            {
                if (!Allows(request[key.Index], key.Access.NeededRights))
                {
                    return new(DenialReason.Key, key.Index);
                }
            }
        }

        if (!AllowsAllChannels && row.Channels != ChannelUse.None)
        {
            var last = row.Channels == ChannelUse.Publish ? Math.Min(1, request.Count - 1) : request.Count - 1;
            for (var i = 1; i <= last; i++)
            {
                if (!AllowsChannel(request[i], row.Channels == ChannelUse.SubscribeToPatterns))
                {
                    return new(DenialReason.Channel, i);
                }
            }
        }

        return default;
    }

    /// <summary>Whether a command may be executed, as far as its arguments do not matter.</summary>
    public bool AllowsCommand(CommandRow row)
        => AllowsAllCommands || row.Has(CommandFlags.NoAuth)
            || (_commands[row.Index >> 6] & (1UL << (row.Index & 63))) != 0;

    /// <summary>Whether a command whose only key is its first argument is allowed: what <see cref="Check"/> finds, in
    /// less time.</summary>
    public bool AllowsOfOneKey(CommandRow row, in Request request)
        => Allows(row, request) && (AllowsAllKeys || Allows(request[1], row.AccessIn(request).NeededRights));

    /// <summary>Whether a command is allowed that tells of keys which it does not name, and may tell of this one.
    /// </summary>
    public bool AllowsTellingOf(CommandRow row, ReadOnlySpan<byte> key)
        => AllowsCommand(row) && (AllowsAllKeys || Allows(key, KeyRights.Read));

    /// <summary>Whether a channel may be named.</summary>
    /// <param name="channel">Its name, or a pattern.</param>
    /// <param name="isPattern">Whether it is a pattern: one is allowed if it is among those of the user.</param>
    public bool AllowsChannel(ReadOnlySpan<byte> channel, bool isPattern)
    {
        if (AllowsAllChannels)
        {
            return true;
        }

        foreach (var pattern in _channels)
        {
            if (isPattern ? pattern.Is(channel) : pattern.IsMatch(channel))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The rules about keys as ACL GETUSER gives them.</summary>
    public string KeysText => AllowsAllKeys ? "~*" : string.Join(' ', _keys);

    /// <summary>The rules about channels as ACL GETUSER gives them.</summary>
    public string ChannelsText
        => AllowsAllChannels ? "&*" : string.Join(' ', _channels.Select(static channel => $"&{channel.Text}"));

    /// <summary>The rules about commands as ACL GETUSER gives them.</summary>
    public string CommandsText => string.Join(' ', Rules.Prepend(BeginsWithAll ? "+@all" : "-@all"));

    /// <summary>All rules as a file has them.</summary>
    public string FileText
        => With(AllowsAllKeys ? "~*" : string.Join(' ', _keys.Select(static rule => rule.FileText)));

    /// <summary>Rules as they stand within parentheses, where words are unquoted when they are read, and the last
    /// one ends with a parenthesis.</summary>
    public static string Quote(string rules)
        => string.Join(' ', rules.Split(' ').Select(static word => NeedsQuotes(word) ? QuotedWords.Quote(word) : word));

    /// <summary>All rules as ACL LIST gives them.</summary>
    public override string ToString() => With(KeysText);

    private string With(string keys)
    {
        List<string> words = [keys, AllowsAllChannels ? "" : "resetchannels", ChannelsText, CommandsText];
        return string.Join(' ', words.Where(static word => word.Length > 0));
    }

    private static long BytesOf(IReadOnlyCollection<string> words)
        => ManagedSize.OfArray(words.Count) + words.Sum(static word => ManagedSize.OfString(word.Length));

    private static bool NeedsQuotes(string word) => word.AsSpan().ContainsAny('"', '\'') || word.EndsWith(')');

    private bool Allows(CommandRow row, in Request request)
        => AllowsCommand(row) || AllowsFirstArgument(row, request);

    private bool AllowsFirstArgument(CommandRow row, in Request request)
    {
        if (_firstArguments.Count == 0 || request.Count < 2
            || !_firstArguments.TryGetValue(row.Index, out var allowed))
        {
            return false;
        }

        return Array.IndexOf(allowed, ConfigurationText.ToLower(ConfigurationText.FromBytes(request[1]))) >= 0;
    }

    private bool Allows(ReadOnlySpan<byte> key, KeyRights rights)
    {
        foreach (ref readonly var rule in _keys.AsSpan())
        {
            if (rule.Allows(key, rights))
            {
                return true;
            }
        }

        return false;
    }
}
