namespace Strata.Server.Clients.Waiting;

/// <summary>What a session has begun and waits for: parts of it are in other hands, or wait for the device or for
/// memory. Its replies are sent when all of it has been done. Belongs to the session's worker.</summary>
internal abstract class SuspendedWork
{
    /// <summary>What it waits for: each of these ends by <see cref="WaitingClient.OnWaitEnded"/>.</summary>
    public int Waits { get; set; }

    /// <summary>Memory of the commands that wait, bytes.</summary>
    public abstract long MemoryBytes { get; }

    /// <summary>Whether it is more than a reply that it is executed for.</summary>
    public virtual bool ChangesSomething => false;

    /// <summary>Whether going on takes so long that others may come between: it is a step then.</summary>
    public virtual bool IsLong => false;

    /// <summary>Makes the memory that it waits for, if keys may be given up for it. No lease may be held.</summary>
    /// <returns>False when that must be waited for still.</returns>
    public virtual bool TryMakeRoom(long nowMs) => true;

    /// <summary>The client has gone.</summary>
    public virtual void OnClientGone()
    {
    }

    /// <summary>Goes on, once the last of its waits has ended, and writes the replies.</summary>
    /// <returns>False when it must wait again.</returns>
    public abstract bool TryContinue(Session session);

    /// <summary>It is done, and its replies are written: gives back what it holds.</summary>
    public abstract void End();
}
