namespace Strata.Server.Scripting.Bytecode;

/// <summary>An instruction of Lua 5.1's virtual machine: an operation and its operands (lopcodes.h).</summary>
/// <param name="Word">The instruction as it stands in the code.</param>
internal readonly record struct Instruction(uint Word)
{
    private const int Bias = 131071;
    private const int ConstantBit = 256;

    /// <summary>The operation.</summary>
    public Opcode Opcode => (Opcode)(Word & 0x3F);

    /// <summary>Mostly the register of the result.</summary>
    public int A => (int)(Word >> 6) & 0xFF;

    /// <summary>A register, a constant or a number.</summary>
    public int B => (int)(Word >> 23);

    /// <summary>A register, a constant or a number.</summary>
    public int C => (int)(Word >> 14) & 0x1FF;

    /// <summary>B and C as one number.</summary>
    public int Bx => (int)(Word >> 14);

    /// <summary>B and C as one number with a sign: how far a jump goes from the next instruction.</summary>
    public int Jump => Bx - Bias;

    /// <summary>Whether an operand, B or C, is a constant, and then which.</summary>
    public static bool IsConstant(int operand, out int constant)
    {
        constant = operand & ~ConstantBit;
        return (operand & ConstantBit) != 0;
    }
}
