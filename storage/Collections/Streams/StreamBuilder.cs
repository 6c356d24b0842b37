using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>Makes a large stream of the parts of another, in the order of a <see cref="StreamWalk"/>.</summary>
/// <param name="heap">Where it lies.</param>
/// <param name="root">The stream.</param>
/// <param name="group">The group that was added last, which is kept by the caller, as is the consumer.</param>
/// <param name="consumer">The consumer that was added last.</param>
internal unsafe ref struct StreamBuilder(
    SlabHeap heap, StreamRoot* root, ref GroupBlock* group, ref ConsumerBlock* consumer)
{
    private readonly ref GroupBlock* _group = ref group;
    private readonly ref ConsumerBlock* _consumer = ref consumer;

    /// <summary>Adds a part.</summary>
    /// <exception cref="MemoryExhaustedException">The stream is to be freed.</exception>
    public readonly void Add(in StreamPart part)
    {
        switch (part.Kind)
        {
            case StreamPartKind.Block:
                StreamRoot.AddCopy(heap, root, part.Block);
                break;
            case StreamPartKind.Group:
                _group = GroupBlock.Add(heap, root, part.Name, part.Id, part.EntriesRead);
                break;
            case StreamPartKind.Consumer:
                _consumer = ConsumerBlock.Add(heap, root, _group, part.Name, part.SeenMs, part.ActiveMs);
                break;
            default:
                PendingEntries.Set(heap, root, _group, _consumer, part.Id, part.DeliveredMs, part.Deliveries);
                break;
        }
    }
}
