namespace Strata.Server.Clients.Access;

/// <summary>A user's place, which sessions point to: it stays while the user is exchanged for a changed one. Any thread
/// reads it, the registry writes it under its lock.</summary>
/// <param name="user">The user as it is first.</param>
internal sealed class UserSlot(AccessUser user)
{
    private volatile AccessUser _current = user;
    private volatile bool _isDeleted;

    /// <summary>The user as it is now; one that is deleted may do nothing.</summary>
    public AccessUser Current
    {
        get => _current;
        set => _current = value;
    }

    /// <summary>Whether there is no such user any more: its clients are closed.</summary>
    public bool IsDeleted
    {
        get => _isDeleted;
        set => _isDeleted = value;
    }
}
