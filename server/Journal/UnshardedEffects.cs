using Strata.Server.Commands.Model;

namespace Strata.Server.Journal;

/// <summary>Effects of a command that changes what lies in no shard (libraries of functions): it is told as it was
/// sent, at the moment at which it says so, which is under whatever lock it makes the change.</summary>
/// <param name="journal">The journal, which may have been turned on or off since the command was begun.</param>
/// <param name="context">The command.</param>
internal sealed class UnshardedEffects(EffectJournal journal, CommandContext context) : ICommandEffects
{
    /// <inheritdoc/>
    public bool IsChanged { get; private set; }

    /// <inheritdoc/>
    public void MarkChanged()
    {
        IsChanged = true;
        var queue = journal.Unsharded;
        lock (queue)
        {
            if (!journal.IsOn)
            {
                return;
            }

            queue.BeginUnit();
            queue.BeginCommand(context.Client.Database);
            queue.MarkChanged();
            queue.EndCommand(context.Row, context.Request);
            queue.EndUnit();
            journal.OnUnshardedTold();
        }
    }

    /// <inheritdoc/>
    public void Begin(int count, ReadOnlySpan<byte> verb) => throw NotKeyed();

    /// <inheritdoc/>
    public void Argument(ReadOnlySpan<byte> argument) => throw NotKeyed();

    /// <inheritdoc/>
    public void Argument(long number) => throw NotKeyed();

    /// <inheritdoc/>
    public void Written(ReadOnlySpan<byte> effect) => throw NotKeyed();

    private static InvalidOperationException NotKeyed() => new("a command without keys is told as it was sent");
}
