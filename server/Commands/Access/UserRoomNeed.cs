using System.Buffers;
using Strata.Server.Clients.Access;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Access;

/// <summary>Counts the memory that a change of a user takes, rule by rule. Words that add no text to a user, as off or
/// resetkeys, are not refused: somebody may have to say them of one who has filled the memory.</summary>
/// <param name="user">The user that is changed; null where there is none yet.</param>
internal struct UserRoomNeed(AccessUser? user)
{
    // The word, its places in buffers and tables while these grow, and what is made of it for a moment.
    private const int BytesPerRule = 160;

    // Of a rule about commands, which is an object in lists and tables.
    private const int BytesPerCommand = 480;
    private const int BytesPerCharacter = 8;

    // A draft of a selector, and the selector.
    private const int BytesPerSelector = 1536;

    // What the user has already, in a draft and in its new place.
    private const int BytesPerHeldByte = 4;

    private static readonly SearchValues<byte> s_blanks = SearchValues.Create(" \t\n\v\f\r"u8);

    private long _bytes = BytesPerSelector + ((user?.SizeBytes ?? 0) * BytesPerHeldByte);
    private bool _adds = user == null;

    /// <summary>Counts a rule, or a word of one.</summary>
    public void Add(ReadOnlySpan<byte> rule)
    {
        _adds |= rule.IsEmpty || !char.IsAsciiLetter((char)rule[0]); // What a rule adds stands behind a sign.
        var perWord = !rule.IsEmpty && rule[0] is (byte)'~' or (byte)'%' or (byte)'&' ? BytesPerRule : BytesPerCommand;
        _bytes += perWord + ((long)rule.Length * BytesPerCharacter);
        if (rule.StartsWith("("u8))
        {
            _bytes += BytesPerSelector + ((long)rule.CountAny(s_blanks) * BytesPerCommand);
        }
    }

    /// <summary>Asks for what was counted.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public readonly UserRoom Ask(MemoryBudget budget) => UserRoom.Ask(budget, _adds ? _bytes : 0);
}
