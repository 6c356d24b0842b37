using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>Where a command works on a group: on the group itself and in one go, or, of much, in steps and on its copy
/// (<see cref="GroupPass{TWork}"/>).</summary>
internal ref struct GroupStage
{
    /// <summary>The command.</summary>
    public required CommandContext Context { get; init; }

    /// <summary>The stream's key.</summary>
    public required Key Key { get; init; }

    /// <summary>The stream, whose entries do not change.</summary>
    public required StreamView Stream { get; init; }

    /// <summary>The group as the command has found it, to be read.</summary>
    public required StreamGroup Source { get; init; }

    /// <summary>The group, to be changed, or its copy; in steps and where there is no copy, before the end, nothing.
    /// </summary>
    public required GroupEditor Group { get; init; }

    /// <summary>Where the reply is made.</summary>
    public required ReplyWriter Reply { get; init; }

    /// <summary>Who is told what was done; null while nobody wants to know.</summary>
    public ICommandEffects? Effects { get; init; }

    /// <summary>What asks for memory for what becomes pending, where that is the group's copy; else null.</summary>
    public GroupCopy? Copy { get; init; }

    /// <summary>Milliseconds since 1970, the same in all steps.</summary>
    public required long NowMs { get; init; }

    /// <summary>How much may be done before others have their turn.</summary>
    public long Effort { get; set; }

    /// <summary>The consumer of a name, which is made where it is not there, and is seen now.</summary>
    /// <param name="name">The consumer's name.</param>
    /// <param name="isNew">Whether it was made.</param>
    public readonly StreamConsumer See(scoped ReadOnlySpan<byte> name, out bool isNew)
    {
        isNew = Group.TryCreateConsumer(name, NowMs, out var consumer);
        if (!isNew)
        {
            Group.SetSeen(consumer, NowMs);
        }
        else if (Effects is { } effects)
        {
            StreamEffects.CreateConsumer(effects, Key, Group.Group, consumer);
        }

        return consumer;
    }

    /// <summary>Makes an entry pending for a consumer.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="lastId">The last entry that the group has read.</param>
    public readonly void SetPending(in PendingEntry entry, StreamId lastId)
    {
        Copy?.AskForEntry();
        Group.SetPending(entry.Consumer, entry.Id, entry.DeliveredMs, entry.Deliveries);
        Tell(entry, lastId);
    }

    /// <summary>Tells of an entry that it is a consumer's, or, where it is no more, nobody's.</summary>
    /// <param name="entry">The entry, as it is pending.</param>
    /// <param name="lastId">The last entry that the group has read.</param>
    public readonly void Tell(in PendingEntry entry, StreamId lastId)
    {
        switch (Effects)
        {
            case null:
                break;
            case GroupEffects draft:
                draft.Claim(Key, Group.Group, entry, lastId);
                break;
            default:
                var id = entry.Id;
                StreamEffects.Claim(Effects, Key, Group.Group, entry, new(in id), lastId);
                break;
        }
    }

    /// <summary>Tells what the group has read.</summary>
    public readonly void TellRead()
    {
        if (Effects is { } effects)
        {
            StreamEffects.SetGroup(effects, Key, Group.Group);
        }
    }
}
