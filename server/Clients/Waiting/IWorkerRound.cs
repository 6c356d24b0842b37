
namespace Strata.Server.Clients.Waiting;

/// <summary>A question to all workers.</summary>
internal interface IWorkerRound
{
    /// <summary>Puts the question; the session goes on when all have answered.</summary>
    void Start(ClientWorker own);
}
