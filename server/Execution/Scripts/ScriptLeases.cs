using System.Numerics;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Leases;
using Strata.Server.Scripting;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Scripts;

/// <summary>
/// The leases that the script at work on one worker is executed under: those of its declared keys' shards, where it is
/// known to use no others, and else all. Whether it does is learned from how its first execution went, and may turn
/// out wrong: so it needs the right to take more of them, unless it changes nothing, and could begin anew, or its
/// code shows that it keeps to its keys.
/// </summary>
internal sealed class ScriptLeases : IShardSet
{
    /// <summary>In place of a shard's number: no lease has to be taken.</summary>
    public const int All = -1;

    /// <summary>In place of a shard's number: no lease is held.</summary>
    public const int None = -2;

    private readonly ShardMap _shards;
    private readonly ulong[] _declared = new ulong[LeaseReservation.Words];
    private readonly ulong[] _needed = new ulong[LeaseReservation.Words];
    private readonly bool _areLeasesTaken;
    private LeaseSet? _held;
    private int _only = All;
    private bool _isObserved;
    private bool _hasReachedOut;

    /// <summary>No script yet.</summary>
    /// <param name="shards">All shards.</param>
    /// <param name="areLeasesTaken">Whether there are other workers.</param>
    public ScriptLeases(ShardMap shards, bool areLeasesTaken)
    {
        _shards = shards;
        _areLeasesTaken = areLeasesTaken;
    }

    /// <summary>Names the leases of a script, and its declared keys.</summary>
    /// <param name="context">EVAL or its like.</param>
    /// <param name="script">The script, if it is known.</param>
    /// <param name="isReadOnly">Whether it may change nothing.</param>
    /// <param name="leases">Where to.</param>
    public void Select(CommandContext context, Executable? script, bool isReadOnly, LeaseSet leases)
    {
        HoldAll();
        CommandShards.AddKeys(context, leases);
        if (!_areLeasesTaken)
        {
            return;
        }

        if (script == null || script.Reach == ScriptReach.Unknown)
        {
            _isObserved = true;
            leases.CopyTo(_declared);
            leases.AddAll();
        }
        else if (script.Reach == ScriptReach.Others || (leases.KeySpan.IsEmpty && script.Reach != ScriptReach.Proven))
        {
            leases.AddAll();
        }
        else
        {
            _held = leases;
            if (!isReadOnly && script.Reach != ScriptReach.Proven)
            {
                leases.AddEscalation();
            }
        }
    }

    /// <summary>All leases are held, as for EXEC, or there are none.</summary>
    public void HoldAll() => HoldOnly(All);

    /// <summary>One lease is held for a script that is proven to need no others.</summary>
    /// <param name="shard">The shard, or <see cref="None"/> or <see cref="All"/>.</param>
    public void HoldOnly(int shard)
    {
        _only = shard;
        _held = null;
        _isObserved = false;
        _hasReachedOut = false;
    }

    /// <summary>Whether more can be taken while those are kept that are held.</summary>
    public bool MayExtend => _held != null && _held.Contains(_shards.Count);

    /// <summary>Whether the leases that a command called by the script needs are held; those that are not are noted.
    /// </summary>
    public bool Cover(CommandContext context)
    {
        if (_held == null && !_isObserved)
        {
            return _only == All || (context.Row.IsSingleKey(context.Count) && context.Shard.Number == _only)
                || !NeedsAny(context);
        }

        if (context.Row.IsSingleKey(context.Count))
        {
            var shard = context.Shard.Number;
            if (_held != null && _held.Contains(shard))
            {
                return true;
            }

            Array.Clear(_needed);
            Add(shard);
        }
        else
        {
            Array.Clear(_needed);
            CommandShards.Add(context, this);
        }

        return _held == null ? Observe() : NextMissing(0) < 0;
    }

    /// <summary>Takes the first of the leases that <see cref="Cover"/> has found missing.</summary>
    /// <param name="claim">What has the others reserved for the script, if so.</param>
    /// <param name="missing">The next one that is missing; negative when none is any more.</param>
    /// <returns>False when it is taken by another.</returns>
    public bool TryExtend(LeaseClaim? claim, out int missing)
    {
        missing = NextMissing(0);
        if (!_held!.TryExtend(missing, claim))
        {
            return false;
        }

        missing = NextMissing(missing >> 6);
        return true;
    }

    /// <summary>What the first execution has shown, which has ended well.</summary>
    public void Learn(Executable script)
    {
        if (_isObserved && script.Reach == ScriptReach.Unknown)
        {
            script.Reach = _hasReachedOut ? ScriptReach.Others : ScriptReach.Declared;
        }
    }

    /// <inheritdoc/>
    public void Add(in Key key) => Add(_shards.NumberOf(key.Hash));

    /// <inheritdoc/>
    public void Add(int shard) => _needed[shard >> 6] |= 1UL << (shard & 63);

    /// <inheritdoc/>
    public void AddAll()
    {
        for (var i = 0; i < _shards.Count; i++)
        {
            Add(i);
        }
    }

    private bool NeedsAny(CommandContext context)
    {
        Array.Clear(_needed);
        CommandShards.Add(context, this);
        if (_only >= 0)
        {
            _needed[_only >> 6] &= ~(1UL << (_only & 63));
        }

        return _needed.AsSpan().ContainsAnyExcept(0UL);
    }

    private bool Observe()
    {
        for (var word = 0; word < _needed.Length; word++)
        {
            _hasReachedOut |= (_needed[word] & ~_declared[word]) != 0;
        }

        return true;
    }

    private int NextMissing(int word)
    {
        for (; word < _needed.Length; word++)
        {
            for (var bits = _needed[word]; bits != 0; bits &= bits - 1)
            {
                var shard = (word << 6) + BitOperations.TrailingZeroCount(bits);
                if (!_held!.Contains(shard))
                {
                    return shard;
                }
            }
        }

        return -1;
    }
}
