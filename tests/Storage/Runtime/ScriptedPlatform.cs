using Strata.Storage.Runtime;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Runtime;

/// <summary>A platform whose clock stands until it is moved, and whose pollers tell what they are asked.</summary>
internal sealed class ScriptedPlatform(List<string> log) : Platform, IDisposable
{
    public ManualClock ManualClock { get; } = new();

    /// <summary>The poller of the first worker.</summary>
    public ScriptedPoller Poller { get; } = new(log);

    /// <inheritdoc/>
    public override TimeProvider Clock => ManualClock;

    /// <inheritdoc/>
    public override IPoller CreatePoller() => Poller;

    /// <inheritdoc/>
    public void Dispose() => Poller.Dispose();

    /// <summary>A poller that has as many events as it is told.</summary>
    internal sealed class ScriptedPoller(List<string> log) : IPoller
    {
        /// <summary>What the next wait answers.</summary>
        public int Ready { get; set; }

        /// <inheritdoc/>
        public int Add(int fd, uint mask, IEventHandler handler) => -1;

        /// <inheritdoc/>
        public bool Modify(int slot, int fd, uint mask) => false;

        /// <inheritdoc/>
        public void Remove(int slot, int fd) => log.Add($"remove {fd}");

        /// <inheritdoc/>
        public void Wake() => log.Add("wake");

        /// <inheritdoc/>
        public int Wait(int timeoutMs)
        {
            log.Add($"wait {timeoutMs}");
            return Ready;
        }

        /// <inheritdoc/>
        public void Dispatch(int count)
        {
            if (count > 0)
            {
                log.Add($"dispatch {count}");
            }
        }

        /// <inheritdoc/>
        public int DispatchWithin(IEventHandler executing)
        {
            log.Add("dispatch within");
            return 0;
        }

        /// <inheritdoc/>
        public void Dispose() => log.Add("disposed");
    }
}
