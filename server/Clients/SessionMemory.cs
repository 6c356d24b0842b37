namespace Strata.Server.Clients;

/// <summary>What a client takes.</summary>
internal static class SessionMemory
{
    extension(Session session)
    {
        /// <summary>Memory that the client has to itself, bytes: input and output that wait, commands that are begun,
        /// queued or wait, names, what it watches and subscribes to.</summary>
        public long MemoryBytes => session.Connection.PendingCapacityBytes + session.Connection.OutputCapacityBytes
            + session.Connection.Input.ArgumentBytes + session.SuspendedBytes
            + (session.Transaction.Queue?.ChargedBytes ?? 0) + session.HeldBytes;
    }
}
