namespace Strata.Storage.Runtime;

/// <summary>What a worker's event loop calls when a descriptor is ready.</summary>
public interface IEventHandler
{
    /// <summary>The descriptor is ready for what <paramref name="mask"/> says (EPOLLIN, EPOLLOUT…).</summary>
    void OnEvents(uint mask);
}
