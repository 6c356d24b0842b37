namespace Strata.Storage.Collections.Streams;

/// <summary>What a stream is made of, in the order in which a <see cref="StreamWalk"/> meets it: the blocks; then each
/// group, behind it each of its consumers, and behind that what it has not acknowledged.</summary>
public enum StreamPartKind
{
    Block,
    Group,
    Consumer,
    Pending,
}
