using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>Commands together with the keys and channels that they may name: what a user may do is what one of its
/// selectors allows. Immutable.</summary>
internal sealed class AccessSelector
{
    // The object, that which shows its rules, and a dictionary without entries.
    private const int OwnBytes = 176;

    // Two objects with six pointers and numbers each.
    private const int BytesOfBuffers = 160;

    // Of the dictionary.
    private const int BytesPerEntry = 64;

    private readonly ulong[] _commands;
    private readonly Dictionary<int, string[]> _firstArguments;
    private readonly WordBuffer _keys;
    private readonly WordBuffer _channels;

    internal AccessSelector(SelectorDraft draft)
    {
        _commands = draft.CopyCommands();
        _firstArguments = draft.CopyFirstArguments();
        _keys = draft.Keys.ToBuffer();
        _channels = draft.Channels.ToBuffer();
        AllowsAllKeys = draft.AllowsAllKeys;
        AllowsAllChannels = draft.AllowsAllChannels;
        AllowsAllCommands = draft.AllowsAllCommands;
        BeginsWithAll = draft.BeginsWithAll;
        Rules = [.. draft.Rules.InOrder];
        MayRead = AllowsAllKeys || HasEverythingToRead(_keys);
        SizeBytes = OwnBytes + BytesOfBuffers + ManagedSize.OfArray(_commands.Length) + _keys.SizeBytes
            + _channels.SizeBytes + BytesOf(Rules)
            + _firstArguments.Values.Sum(static words => BytesPerEntry + BytesOf(words));
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
    public WordBuffer Keys => _keys;

    /// <summary>The channels that may be named, where not all may.</summary>
    public WordBuffer Channels => _channels;

    /// <summary>The commands' bits.</summary>
    public ReadOnlySpan<ulong> Commands => _commands;

    /// <summary>The first arguments with which commands may be executed that may not be otherwise, by the commands'
    /// numbers.</summary>
    public IReadOnlyDictionary<int, string[]> FirstArguments => _firstArguments;

    /// <summary>Memory, bytes, about.</summary>
    public long SizeBytes { get; }

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

        var isAllowed = false;
        for (var i = 0; i < _channels.Count && !isAllowed; i++)
        {
            var pattern = _channels[i];
            isAllowed = isPattern
                ? pattern.SequenceEqual(channel)
                : AccessPattern.IsMatch(pattern, _channels.MarkOf(i), channel);
        }

        GC.KeepAlive(this);
        return isAllowed;
    }

    private static long BytesOf(IReadOnlyCollection<string> words)
        => ManagedSize.OfArray(words.Count) + words.Sum(static word => ManagedSize.OfString(word.Length));

    private static bool HasEverythingToRead(WordBuffer keys)
    {
        for (var i = 0; i < keys.Count; i++)
        {
            var mark = keys.MarkOf(i);
            if (AccessPattern.IsEverything(mark) && (AccessPattern.RightsOf(mark) & KeyRights.Read) != 0)
            {
                return true;
            }
        }

        return false;
    }

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
        var isAllowed = false;
        for (var i = 0; i < _keys.Count && !isAllowed; i++)
        {
            var mark = _keys.MarkOf(i);
            isAllowed = (AccessPattern.RightsOf(mark) & rights) == rights
                && AccessPattern.IsMatch(_keys[i], mark, key);
        }

        GC.KeepAlive(this); // The patterns are freed when nobody points to them.
        return isAllowed;
    }
}
