using System.Diagnostics;
using Strata.Storage.Runtime;

namespace Strata.Server.Runtime;

/// <summary>Work for clients that would take long in one go, cut into steps: a worker makes some of them in each turn,
/// for about a millisecond, whatever the number of clients that have some. The worker's thread only.</summary>
internal sealed class StepQueue : WorkItem
{
    private readonly TimeProvider _clock;
    private readonly ReplyBatch _replies;
    private readonly Queue<Action> _steps = new();

    /// <summary>No steps.</summary>
    /// <param name="clock">What the turn's time is measured with.</param>
    /// <param name="replies">The worker's replies that do not wait for the end of a step.</param>
    public StepQueue(TimeProvider clock, ReplyBatch replies)
    {
        _clock = clock;
        _replies = replies;
    }

    /// <summary>Makes a step behind those that wait, in another turn.</summary>
    public void Add(Worker worker, Action step)
    {
        _steps.Enqueue(step);
        worker.PostOnce(this);
    }

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        var started = _clock.GetTimestamp();
        try
        {
            // A step may add the one that follows it: those are for another turn.
            for (var left = _steps.Count; left > 0; left--)
            {
                _replies.Send();
                _steps.Dequeue()();
                if (_clock.GetTimestamp() - started > ServerLimits.StepsMicroseconds * Stopwatch.Frequency / 1_000_000)
                {
                    break;
                }
            }
        }
        finally
        {
            if (_steps.Count > 0)
            {
                worker.PostOnce(this);
            }
        }
    }
}
