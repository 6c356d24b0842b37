
namespace Strata.Server.Clients.Waiting;

/// <summary>What can be in a <see cref="DeadlineHeap{T}"/>, one at a time.</summary>
internal interface IHasDeadline
{
    /// <summary>When it is due, milliseconds since 1970. It does not change while it is in a heap.</summary>
    long DeadlineMs { get; }

    /// <summary>Its place in the heap, which the heap sets; -1 for none.</summary>
    int HeapIndex { get; set; }
}
