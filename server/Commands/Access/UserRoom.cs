using Strata.Server.Clients.Access;
using Strata.Server.Commands.Shared;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Access;

/// <summary>Memory that a change of users takes while it is made: their rules are words first, then drafts, and the
/// users as they were are there until the end. It is asked for before any of it is taken, and is the collector's
/// afterwards.</summary>
internal sealed class UserRoom : IDisposable
{
    // A rule as text, in a buffer that grows and in its place, against what the user takes for it.
    private const int BytesPerHeldByte = 4;

    // A line of a file of users: the line, its words, and the user.
    private const int BytesPerFileByte = 24;

    private MemoryCharge _charge;

    private UserRoom(MemoryBudget budget, long bytes)
    {
        _charge = new MemoryCharge(budget);
        _charge.Set(bytes);
    }

    /// <summary>Asks for what a file of users takes while it is read.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public static UserRoom ForFile(MemoryBudget budget, string path)
    {
        var file = new FileInfo(path);
        return Ask(budget, file.Exists ? file.Length * BytesPerFileByte : 0);
    }

    /// <summary>Asks for what a user's rules take as text.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public static UserRoom ForText(MemoryBudget budget, AccessUser user)
        => Ask(budget, user.SizeBytes * BytesPerHeldByte);

    /// <summary>Asks for so many bytes.</summary>
    /// <exception cref="MemoryExhaustedException">There are not as many.</exception>
    public static UserRoom Ask(MemoryBudget budget, long bytes)
    {
        if (!HeldRoom.IsFree(budget, bytes))
        {
            budget.AskForValue(bytes, neededBytes: 0);
        }

        return new UserRoom(budget, bytes);
    }

    /// <inheritdoc/>
    public void Dispose() => _charge.LeaveToCollector(_charge.Bytes);
}
