using System.Buffers;
using System.IO.Pipelines;
using Strata.Server.Clients;
using Strata.Server.Network;
using Strata.Server.Network.Transport;
using Strata.Server.Network.Transport.InProcess;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Network.Transport.Tls;

namespace Strata.Server.Execution;

/// <summary>Takes clients in, counted and limited, and deals them to the workers in turn; on the first worker's thread
/// but for <see cref="Connect"/>.</summary>
/// <param name="services">What the server offers.</param>
/// <param name="workers">The workers.</param>
internal sealed class Reception(ServerServices services, IReadOnlyList<ExecutionWorker> workers)
{
    private int _nextWorker;
    private long _lastId;

    /// <summary>Connects a client in this process. Any thread, while the server runs.</summary>
    /// <param name="origin">Whose it is. One that is not anybody's counts for no limit.</param>
    /// <returns>The client's end.</returns>
    public IDuplexPipe Connect(ClientOrigin origin)
    {
        var pipes = new InProcessPipes(services.Context.Shards.Budget);
        workers[0].PostWithin(() => Admit(pipes.Server, origin));
        return pipes.Client;
    }

    /// <summary>Deals an accepted socket to the next worker, or turns it away.</summary>
    /// <param name="fd">The socket.</param>
    /// <param name="address">Where it comes from.</param>
    /// <param name="isTls">Whether TLS is spoken over it.</param>
    public void Admit(int fd, ClientAddress address, bool isTls)
    {
        if (TryAdmit(address, out var refusal))
        {
            if (address.UnixPath == null)
            {
                Admission.SetUp(fd, services.Context.Configuration.Current);
            }

            var adoption = new Adoption(NextWorker(), address, ++_lastId, ClientOrigin.Anybody);
            if (isTls)
            {
                services.Tls.Handshakes.Add(services.Tls.Context!, fd, address, ends => Adopt(adoption, ends));
            }
            else
            {
                Adopt(adoption, new SocketTransport(adoption.Worker, fd, isLocal: address.UnixPath != null));
            }
        }
        else
        {
            Admission.TurnAway(fd, isTls ? Admission.TlsRefusal : refusal);
        }
    }

    private void Admit(IDuplexPipe pipe, ClientOrigin origin)
    {
        if (origin != ClientOrigin.Anybody)
        {
            services.Diagnostics.Clients.OnAccepted();
        }
        else if (!TryAdmit(ClientAddress.InProcess, out var refusal))
        {
            pipe.Output.Write(refusal);
            pipe.Output.Complete();
            pipe.Input.Complete();
            return;
        }

        var adoption = new Adoption(NextWorker(), ClientAddress.InProcess, ++_lastId, origin);
        Adopt(adoption, new PipeTransport(adoption.Worker, pipe));
    }

    /// <summary>Counts a client in, or turns it away.</summary>
    private bool TryAdmit(ClientAddress address, out ReadOnlySpan<byte> refusal)
    {
        var clients = services.Diagnostics.Clients;
        refusal = Admission.RefusalOf(
            services.Context.Configuration.Current,
            clients.Connected,
            address,
            isOpen: services.Users.Default.Current.NeedsNoPassword);
        if (!refusal.IsEmpty)
        {
            clients.OnRejected();
            return false;
        }

        clients.OnAccepted();
        return true;
    }

    private ExecutionWorker NextWorker()
    {
        var worker = workers[_nextWorker];
        _nextWorker = (_nextWorker + 1) % workers.Count;
        return worker;
    }

    /// <summary>A handshake is over. Any thread.</summary>
    private void Adopt(Adoption adoption, TlsConnection? ends)
    {
        if (ends == null)
        {
            services.Diagnostics.Clients.OnClosed();
        }
        else
        {
            Adopt(adoption, new TlsTransport(adoption.Worker, adoption.Worker.Tls, ends));
        }
    }

    /// <summary>Any thread.</summary>
    private static void Adopt(Adoption adoption, ITransport transport)
        => adoption.Worker.PostWithin(
            () => adoption.Worker.Adopt(transport, adoption.Address, adoption.Id, adoption.Origin));

    /// <summary>Whose client it will be, and what is known of it.</summary>
    private sealed record Adoption(ExecutionWorker Worker, ClientAddress Address, long Id, ClientOrigin Origin);
}
