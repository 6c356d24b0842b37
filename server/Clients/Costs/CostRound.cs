namespace Strata.Server.Clients.Costs;

/// <summary>Charges all clients of a worker with what they have cost by now, some at a time.</summary>
internal sealed class CostRound(ClientWorker worker)
{
    private int _next;

    /// <summary>Charges some.</summary>
    /// <returns>Whether there are more.</returns>
    public bool ChargeSome()
    {
        var end = Math.Min(worker.Sessions.Count, _next + TrafficLimits.ClientsChargedAtOnce);
        for (; _next < end; _next++)
        {
            worker.Costs.Charge(worker.Sessions[_next]);
        }

        return _next < worker.Sessions.Count;
    }
}
