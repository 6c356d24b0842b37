using Strata.Server.Commands.Keys;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Hashes;

/// <summary>What is to become of the times of fields.</summary>
/// <param name="ExpiryMs">When they are to expire, milliseconds since 1970; -1 for never.</param>
/// <param name="NowMs">The time it is: fields that are to expire before are deleted.</param>
/// <param name="Rule">What a field's present time must be, where it is to have another.</param>
internal readonly record struct FieldTimeChange(long ExpiryMs, long NowMs, ExpirationRule Rule)
{
    /// <summary>What is answered for a field that is deleted.</summary>
    public const int Deleted = 2;

    /// <summary>What is answered for one that has another time, or none any more.</summary>
    public const int Updated = 1;

    private const int NotMet = 0;

    /// <summary>Whether fields that change are deleted.</summary>
    public bool Deletes => ExpiryMs >= 0 && ExpiryMs <= NowMs;

    /// <summary>What is told of fields that change.</summary>
    public KeyEvent What => Deletes ? KeyEvent.HDel : ExpiryMs < 0 ? KeyEvent.HPersist : KeyEvent.HExpire;

    /// <summary>What becomes of a field that is there, as it is answered.</summary>
    /// <param name="presentMs">When it expires; -1 for never.</param>
    public int ResultFor(long presentMs)
        => ExpiryMs < 0 ? (presentMs < 0 ? FieldList.NoExpiry : Updated)
            : !Rule.Allows(presentMs, ExpiryMs) ? NotMet
            : Deletes ? Deleted
            : Updated;
}
