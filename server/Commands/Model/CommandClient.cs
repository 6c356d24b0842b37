using Strata.Server.Network;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Model;

/// <summary>A client, as a command knows it that it sends. Handlers that have to do with more of it (subscriptions,
/// transactions, waiting) look at its session.</summary>
public abstract class CommandClient : ConnectedClient, IChangeAuthor
{
    private protected CommandClient(Network.Connection connection, long id)
        : base(connection, id)
    {
    }

    /// <summary>The selected database, by the clients' number.</summary>
    public int Database { get; set; }

    /// <summary>CLIENT SETNAME, printable ASCII; empty when the client has no name.</summary>
    public string Name
    {
        get;
        set
        {
            field = value;
            OnNamed();
        }
    }
    = "";

    /// <summary>What the client has had the server do.</summary>
    internal ClientCost Cost;

    /// <summary>CLIENT NO-TOUCH: reads of this client do not mark keys as used.</summary>
    public bool NoTouch { get; set; }

    /// <summary>Whether what the client reads now is remembered, to tell it of changes (CLIENT TRACKING).</summary>
    public bool RemembersReads { get; private protected set; }

    /// <summary>The row of the last command, or null when it was unknown; for CLIENT LIST.</summary>
    public CommandRow? LastCommand { get; internal set; }

    /// <summary>Whether EXEC is executing the client's commands.</summary>
    public bool IsInTransaction { get; internal set; }

    /// <summary>Whether replies are taken back now (CLIENT REPLY).</summary>
    internal abstract bool IsMuted { get; }

    /// <summary>A name of the client has changed.</summary>
    private protected abstract void OnNamed();
}
