using System.Text;
using Strata.Server.Clients;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Connection;

/// <summary>What CLIENT LIST says of one worker's clients, on that worker's thread: some of them at a time. It is
/// charged until the reply is written.</summary>
internal sealed class ClientLines : IDisposable
{
    // What a line takes beside its characters.
    private const int BytesPerLine = 64;

    private readonly ClientWorker _worker;
    private readonly Session _self;
    private readonly long _argumentBytes;
    private readonly List<Session> _clients;
    private MemoryCharge _charge;
    private long _bytes;
    private int _next;

    /// <summary>Describes none yet.</summary>
    /// <param name="worker">Whose clients are meant.</param>
    /// <param name="type">Of what type they are, or null for any.</param>
    /// <param name="ids">Which they are, or null for all.</param>
    /// <param name="self">The client that asks.</param>
    /// <param name="argumentBytes">Bytes of its command's arguments.</param>
    public ClientLines(ClientWorker worker, ClientType? type, HashSet<long>? ids, Session self, long argumentBytes)
    {
        _worker = worker;
        _self = self;
        _argumentBytes = argumentBytes;
        _charge = new MemoryCharge(worker.Budget);
        _clients = [.. worker.Sessions
            .Where(session => ClientTypes.IsMeant(session, type) && ids?.Contains(session.Id) != false)];
        _bytes = (long)_clients.Capacity * nint.Size;
        _charge.Set(_bytes);
    }

    /// <summary>The lines.</summary>
    public List<(long Id, byte[] Line)> Lines { get; } = [];

    /// <summary>Describes some more.</summary>
    /// <returns>Whether there are more yet.</returns>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public bool DescribeSome()
    {
        _worker.Budget.AskForValue(_bytes, neededBytes: 0); // As much again as there is by now.
        for (var end = Math.Min(_clients.Count, _next + ServerLimits.ClientsAtOnce); _next < end; _next++)
        {
            var session = _clients[_next];
            if (!session.Connection.IsClosed)
            {
                var line = Encoding.UTF8.GetBytes(ClientDescription.Of(
                    session, _worker.Worker.NowMs, session == _self ? _argumentBytes : 0) + "\n");
                Lines.Add((session.Id, line));
                _bytes += line.Length + BytesPerLine;
            }
        }

        _charge.Set(_bytes);
        return _next < _clients.Count;
    }

    /// <inheritdoc/>
    public void Dispose() => _charge.Set(0);
}
