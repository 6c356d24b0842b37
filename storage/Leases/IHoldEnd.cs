namespace Strata.Storage.Leases;

/// <summary>Is told, on the thread that holds a lease, that what was to be done under it has been done: before the
/// lease is given back, and before the holder does the work that another has left with the lease. It must not
/// throw.</summary>
public interface IHoldEnd
{
    /// <summary>The end of one piece of work.</summary>
    void OnHoldEnd();
}
