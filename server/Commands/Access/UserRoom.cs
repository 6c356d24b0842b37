using System.Buffers;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Access;

/// <summary>Memory that a change of users takes while it is made: their rules are words first, then drafts, and the
/// users as they were are there until the end. It is asked for before any of it is taken, and is the collector's
/// afterwards.</summary>
internal struct UserRoom : IDisposable
{
    // The word, what is made of it, and its places in lists and tables while these grow.
    private const int BytesPerRule = 480;
    private const int BytesPerCharacter = 8;

    // A draft of a selector, and the selector.
    private const int BytesPerSelector = 1536;

    // An entry of a draft for a rule that the user has already, and its new place; or the rule as text, which is put
    // together several times: against what the user takes for it.
    private const int BytesPerHeldByte = 2;

    // A line of a file of users, which is read as a whole: the text, its words, and the users.
    private const int BytesPerFileByte = 24;

    private static readonly SearchValues<byte> s_blanks = SearchValues.Create(" \t\n\v\f\r"u8);

    private MemoryCharge _charge;

    /// <summary>Asks for what the rules of a request take. Words that add no text to a user, as off or resetkeys, are
    /// not refused: somebody may have to say them of one who has filled the memory.</summary>
    /// <param name="budget">Where.</param>
    /// <param name="request">The command.</param>
    /// <param name="first">The first of the rules.</param>
    /// <param name="user">The user that they change; null where there is none yet.</param>
    /// <exception cref="MemoryExhaustedException">There is no memory for them.</exception>
    public static UserRoom ForRules(MemoryBudget budget, in Request request, int first, AccessUser? user)
    {
        var bytes = BytesPerSelector + ((user?.SizeBytes ?? 0) * BytesPerHeldByte);
        var adds = user == null;
        for (var i = first; i < request.Count; i++)
        {
            var rule = request[i];
            adds |= rule.IsEmpty || !char.IsAsciiLetter((char)rule[0]); // What a rule adds stands behind a sign.
            bytes += BytesPerRule + ((long)rule.Length * BytesPerCharacter);
            if (rule.StartsWith("("u8))
            {
                bytes += BytesPerSelector + ((long)rule.CountAny(s_blanks) * BytesPerRule);
            }
        }

        return adds ? Ask(budget, bytes) : default;
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

        var charge = new MemoryCharge(budget);
        charge.Set(bytes);
        return new UserRoom { _charge = charge };
    }

    /// <inheritdoc/>
    public void Dispose() => _charge.LeaveToCollector(_charge.Bytes);
}
