using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>What XACK does with a group.</summary>
internal struct AckWork() : IGroupWork
{
    /// <summary>Index of the first id.</summary>
    public const int FirstId = 3;

    /// <summary>What an id takes.</summary>
    public const int EffortOfId = 2;

    private int _next = FirstId;
    private long _acknowledged;

    /// <inheritdoc/>
    public readonly bool ChangesPending => true;

    /// <inheritdoc/>
    public readonly int LeftOut => 0;

    /// <inheritdoc/>
    public readonly bool HasNewConsumer => false;

    /// <inheritdoc/>
    public readonly bool IsServed => true;

    /// <inheritdoc/>
    public readonly KeyEvent? What => _acknowledged > 0 ? KeyEvent.Pending : null;

    /// <inheritdoc/>
    public bool TryGoOn(ref GroupStage stage)
    {
        for (; _next < stage.Context.Count; _next++, stage.Effort -= EffortOfId)
        {
            if (stage.Effort <= 0)
            {
                return false;
            }

            _acknowledged += stage.Group.RemovePending(StreamArguments.IdAt(stage.Context, _next)) ? 1 : 0;
        }

        return true;
    }

    /// <inheritdoc/>
    public readonly void End(ref GroupStage stage) => stage.Reply.Integer(_acknowledged);

    /// <inheritdoc/>
    public readonly void Dispose()
    {
        // It has nothing of its own.
    }
}
