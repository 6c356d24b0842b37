using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>What XGROUP DELCONSUMER does with a group in steps: the group's copy does without the consumer.</summary>
/// <param name="pending">Entries that were pending for it.</param>
internal readonly struct ConsumerRemovalWork(long pending) : IGroupWork
{
    /// <inheritdoc/>
    public bool ChangesPending => true;

    /// <inheritdoc/>
    public int LeftOut => XGroupDelConsumer.Consumer;

    /// <inheritdoc/>
    public bool HasNewConsumer => false;

    /// <inheritdoc/>
    public bool IsServed => true;

    /// <inheritdoc/>
    public KeyEvent? What => KeyEvent.XGroupDelConsumer;

    /// <inheritdoc/>
    public bool TryGoOn(ref GroupStage stage) => true;

    /// <inheritdoc/>
    public void End(ref GroupStage stage) => stage.Reply.Integer(pending);

    /// <inheritdoc/>
    public void Dispose()
    {
        // It has nothing of its own.
    }
}
