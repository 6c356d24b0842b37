using Strata.Server.Network.Transport;
using Strata.Storage.Runtime;

namespace Strata.Server.Network;

/// <summary>Hands what carries a new client's bytes to the worker it will live on.</summary>
internal sealed class Adoption : WorkItem
{
    private readonly ServerWorker _worker;
    private readonly ITransport _transport;
    private readonly ClientAddress _address;
    private readonly long _id;

    public Adoption(ServerWorker worker, ITransport transport, ClientAddress address, long id)
    {
        _worker = worker;
        _transport = transport;
        _address = address;
        _id = id;
    }

    /// <inheritdoc/>
    public override void Run(Worker worker) => _worker.Adopt(_transport, _address, _id);
}
