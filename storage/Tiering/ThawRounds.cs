using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>How often the commands of a set have waited for frozen collections to be made large, and whether they may
/// once more.</summary>
internal struct ThawRounds
{
    private int _rounds;
    private bool _isAsked;
    private bool _isRefused;

    /// <summary>What was asked for so far is waited for.</summary>
    public void Begin()
    {
        _rounds += _isAsked ? 1 : 0;
        _isAsked = false;
    }

    /// <summary>One has ended.</summary>
    /// <param name="isRefused">Whether for want of memory.</param>
    public void End(bool isRefused) => _isRefused |= isRefused;

    /// <summary>Whether there is no memory for another one.</summary>
    public readonly bool AreRefused(MemoryBudget budget)
        => (_isRefused || _rounds == Limits.MaxThawRounds) && budget.IsAtEnd;

    /// <summary>Asks for one.</summary>
    /// <returns>False when the command has it made large in one go.</returns>
    public bool TryAsk()
    {
        _isAsked = _rounds < Limits.MaxThawRounds;
        return _isAsked;
    }
}
