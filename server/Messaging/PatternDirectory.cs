using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>
/// The patterns that have subscribers. Of what is published only those are looked at that begin as the channel's name
/// does: patterns are found by the bytes that they begin with and that stand for themselves, of each length that some
/// pattern has.
/// </summary>
internal sealed class PatternDirectory : ChannelDirectory
{
    /// <summary>Bytes by which a pattern is found, at most.</summary>
    public const int LongestBeginning = 128;

    /// <summary>Managed memory that a pattern takes beyond a channel, with a list of its own, bytes, about.</summary>
    public const int BytesPerPattern = 160;

    private readonly ChainTable<PatternGroup> _groups = new();
    private readonly int[] _groupsOfLength = new int[LongestBeginning + 1];
    private int[] _lengths = [];

    /// <inheritdoc/>
    public PatternDirectory(int workers, MemoryBudget budget)
        : base(workers, budget)
    {
    }

    /// <summary>The lengths of what patterns begin with, ascending; any thread.</summary>
    public int[] Lengths => Volatile.Read(ref _lengths);

    /// <summary>The first of the patterns that begin with these bytes and then with something that does not stand for
    /// itself, or are as long as <see cref="LongestBeginning"/>; null when there is none. Any thread.</summary>
    public Pattern? FirstOf(ReadOnlySpan<byte> beginning) => FindGroup(beginning, HashOf(beginning))?.First;

    /// <inheritdoc/>
    private protected override Channel Create(ReadOnlySpan<byte> name, ulong hash)
    {
        var pattern = new Pattern(name, hash, Workers);
        var beginning = name[..pattern.LiteralLength];
        var hashOfBeginning = HashOf(beginning);
        var group = FindGroup(beginning, hashOfBeginning);
        if (group != null)
        {
            group.Add(pattern);
            return pattern;
        }

        group = new PatternGroup(beginning.Length, hashOfBeginning);
        group.Add(pattern);
        _groups.Insert(group, group.Hash);
        if (_groupsOfLength[group.Length]++ == 0)
        {
            ListLengths();
        }

        return pattern;
    }

    /// <inheritdoc/>
    private protected override void OnRemoved(Channel channel)
    {
        var pattern = (Pattern)channel;
        var group = pattern.Group!;
        group.Remove(pattern);
        if (group.First != null)
        {
            return;
        }

        _groups.Remove(group, group.Hash);
        if (--_groupsOfLength[group.Length] == 0)
        {
            ListLengths();
        }
    }

    private PatternGroup? FindGroup(ReadOnlySpan<byte> beginning, ulong hash)
    {
        for (var link = _groups.ChainOf(hash); link != null; link = link.Next)
        {
            if (link.Hash == hash && link.Item.Is(beginning))
            {
                return link.Item;
            }
        }

        return null;
    }

    private void ListLengths()
    {
        var lengths = new List<int>();
        for (var length = 0; length < _groupsOfLength.Length; length++)
        {
            if (_groupsOfLength[length] > 0)
            {
                lengths.Add(length);
            }
        }

        Volatile.Write(ref _lengths, [.. lengths]);
    }
}
