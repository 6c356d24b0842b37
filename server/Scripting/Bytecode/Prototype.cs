namespace Strata.Server.Scripting.Bytecode;

/// <summary>A function as Lua 5.1 compiles it.</summary>
/// <param name="Parameters">How many it has.</param>
/// <param name="Upvalues">How many variables of functions around it it uses.</param>
/// <param name="Registers">How many it uses, at most 250.</param>
/// <param name="Code">Its instructions.</param>
/// <param name="Constants">Its constants: strings as bytes, numbers as <see cref="double"/>, and null for others.
/// </param>
/// <param name="Inner">The functions in it.</param>
internal sealed record Prototype(
    int Parameters,
    int Upvalues,
    int Registers,
    IReadOnlyList<Instruction> Code,
    IReadOnlyList<object?> Constants,
    IReadOnlyList<Prototype> Inner);
