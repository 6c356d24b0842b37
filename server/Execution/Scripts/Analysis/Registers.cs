namespace Strata.Server.Execution.Scripts.Analysis;

/// <summary>What a function's registers hold before one of its instructions, and the values of unknown number that may
/// lie from one register on ("open": a call's results that are handed to the next).</summary>
internal sealed class Registers
{
    private readonly Value[] _values;

    /// <summary>No way leads here yet.</summary>
    public Registers(int count)
    {
        _values = new Value[count];
    }

    /// <summary>Where the open values begin; -1 when there are none.</summary>
    public int OpenAt { get; private set; } = -1;

    /// <summary>What the open values are.</summary>
    public Value Open { get; private set; }

    /// <summary>A register; one that the function does not have is <see cref="ValueKind.Other"/>.</summary>
    public Value this[int register]
    {
        get => register < _values.Length ? _values[register] : Value.Other;
        set
        {
            if (register < _values.Length)
            {
                _values[register] = value;
            }
        }
    }

    /// <summary>Gives all registers from one on the same value.</summary>
    public void Fill(int first, Value value)
    {
        if (first < _values.Length)
        {
            Array.Fill(_values, value, first, _values.Length - first);
        }
    }

    /// <summary>Values of unknown number lie from a register on.</summary>
    public void OpenFrom(int register, Value value)
    {
        OpenAt = register;
        Open = value;
    }

    /// <summary>They were used.</summary>
    public void CloseOpen() => OpenAt = -1;

    /// <summary>Takes over what another holds.</summary>
    public void CopyFrom(Registers other)
    {
        other._values.CopyTo(_values, 0);
        OpenAt = other.OpenAt;
        Open = other.Open;
    }

    /// <summary>Adds what is known on another way that leads here.</summary>
    /// <param name="other">What the registers hold on it.</param>
    /// <param name="hasChanged">Whether less is known than before.</param>
    /// <returns>False when it is not enough to go on.</returns>
    public bool TryJoin(Registers other, out bool hasChanged)
    {
        hasChanged = false;
        for (var i = 0; i < _values.Length; i++)
        {
            if (!Value.TryJoin(_values[i], other._values[i], out var joined))
            {
                return false;
            }

            hasChanged |= joined != _values[i];
            _values[i] = joined;
        }

        if (other.OpenAt >= 0)
        {
            hasChanged |= OpenAt != other.OpenAt || Open != other.Open;
            OpenAt = other.OpenAt; // Nothing jumps between what opens values and what uses them.
            Open = other.Open;
        }

        return true;
    }
}
