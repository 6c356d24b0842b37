using Strata.Storage.Collections.Streams;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Streams;

/// <summary>What a command in steps does with the group of one of its keys (<see cref="GroupPass{TWork}"/>).</summary>
/// <param name="key">Index of the key.</param>
/// <param name="work">What is done.</param>
internal sealed class GroupPart<TWork>(int key, in TWork work)
    where TWork : struct, IGroupWork
{
    /// <summary>What is done.</summary>
    public TWork Work = work;

    /// <summary>Index of the key.</summary>
    public int Key { get; } = key;

    /// <summary>The copy that is worked on; null where there is none, or none yet.</summary>
    public GroupCopy? Copy { get; private set; }

    /// <summary>The shard in which the copy lies.</summary>
    public Shard? Shard { get; private set; }

    /// <summary>Whether all was copied.</summary>
    public bool IsCopied { get; set; }

    /// <summary>Begins to copy.</summary>
    public void Begin(Shard shard, StreamGroup group, StreamConsumer leftOut)
    {
        Copy = new GroupCopy(shard, group, leftOut);
        Shard = shard;
    }

    /// <summary>The copy is a key's from here on, or nobody's.</summary>
    public void Forget()
    {
        Copy = null;
        Shard = null;
    }
}
