using Strata.Server.Network.Transport;

namespace Strata.Server.Network;

/// <summary>The end of a connection of which no more is taken: when all was executed and sent, the client is told that
/// no more comes, and the connection is closed when that has arrived. A socket that is closed at once, with input
/// unread, takes back what is under way.</summary>
internal sealed class ConnectionDrain(Connection connection, ITransport transport)
{
    private bool _isShut;

    /// <summary>Ends the output when nothing is left to send.</summary>
    /// <returns>Whether that was done now.</returns>
    public bool TryShut()
    {
        if (_isShut || !connection.Output.IsEmpty || connection.Client.IsParked)
        {
            return false;
        }

        _isShut = true;
        connection.Watch();
        if (!connection.IsClosed && !transport.TryEndOutput())
        {
            connection.Close();
        }

        CloseWhenArrived();
        return true;
    }

    /// <summary>Closes the connection when all has arrived; to be called now and then.</summary>
    /// <returns>Whether that is all it waits for.</returns>
    public bool TryEnd()
    {
        if (_isShut)
        {
            CloseWhenArrived();
        }

        return _isShut;
    }

    private void CloseWhenArrived()
    {
        if (!connection.IsClosed && transport.HasArrived())
        {
            connection.Close();
        }
    }
}
