using Strata.Storage.Runtime;

namespace Strata.Server.Network;

/// <summary>Hands an accepted socket to the worker it will live on.</summary>
internal sealed class Adoption : WorkItem
{
    private readonly ServerWorker _worker;
    private readonly int _fd;
    private readonly ClientAddress _address;
    private readonly long _id;

    public Adoption(ServerWorker worker, int fd, ClientAddress address, long id)
    {
        _worker = worker;
        _fd = fd;
        _address = address;
        _id = id;
    }

    /// <inheritdoc/>
    public override void Run(Worker worker) => _worker.Adopt(_fd, _address, _id);
}
