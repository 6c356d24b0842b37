using Strata.Server.Scripting.Bytecode;

namespace Strata.Server.Execution.Scripts.Analysis;

/// <summary>The arguments of a call in a script.</summary>
internal readonly struct Arguments
{
    private readonly Prototype _function;
    private readonly Registers _registers;
    private readonly int _first;

    /// <summary>The arguments that lie in registers.</summary>
    /// <param name="function">The function that calls.</param>
    /// <param name="registers">What its registers hold.</param>
    /// <param name="first">Where the first argument is.</param>
    /// <param name="count">How many there are; -1 for all up to the open ones, and these.</param>
    public Arguments(Prototype function, Registers registers, int first, int count)
    {
        _function = function;
        _registers = registers;
        _first = first;
        IsOpen = count < 0;
        Count = IsOpen ? Math.Max(0, registers.OpenAt - first) : count;
        Rest = IsOpen ? registers.Open : default;
    }

    /// <summary>Those whose number is known.</summary>
    public int Count { get; }

    /// <summary>Whether any number of others follows.</summary>
    public bool IsOpen { get; }

    /// <summary>What those are.</summary>
    public Value Rest { get; }

    /// <summary>An argument; of those that are not there, <see cref="ValueKind.None"/>.</summary>
    public Value this[int index] => index < Count ? _registers[_first + index] : Rest;

    /// <summary>The constant that an argument is, or null.</summary>
    public object? ConstantAt(int index)
        => this[index] is { Kind: ValueKind.Constant } value && value.Constant < _function.Constants.Count
            ? _function.Constants[value.Constant]
            : null;
}
