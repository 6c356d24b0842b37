using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Execution;

/// <summary>
/// The bytes a command begins with, up to the end of its verb, and what they mean. Pipelined commands are mostly of one
/// kind: when the next one begins with the same bytes, they need not be parsed nor the verb looked up again.
/// Good as long as the input they lie in.
/// </summary>
internal unsafe struct CommandPrefix
{
    private const int LongestBytes = 64;

    private byte* _start;
    private int _length;
    private int _argumentsLeft;
    private Argument _verb;

    /// <summary>The row of the verb; only when <see cref="TryRepeat"/> said so.</summary>
    public CommandRow? Row { get; private set; }

    /// <summary>Remembers a command whose arguments were just read.</summary>
    public void Remember(byte* start, CommandRow row, ArgumentBuffer arguments, in ParsedCommand command)
    {
        _verb = *arguments.At(command.First);
        _length = _verb.Offset + _verb.Length + 2;
        _start = start;
        _argumentsLeft = command.Count - 1;
        Row = *start == (byte)'*' && _length <= LongestBytes && _argumentsLeft > 0 ? row : null;
    }

    /// <summary>Remembers nothing.</summary>
    public void Forget() => Row = null;

    /// <summary>Whether the input begins like the remembered command. Then parsing goes on behind the verb.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryRepeat(byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
    {
        if (Row == null || length <= _length
            || !new ReadOnlySpan<byte>(input, _length).SequenceEqual(new ReadOnlySpan<byte>(_start, _length)))
        {
            return false;
        }

        arguments.Add(_verb.Offset, _verb.Length);
        state.Position = _length;
        state.ArgumentsLeft = _argumentsLeft;
        return true;
    }
}
