using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Scripts;
using Strata.Server.Resp;

namespace Strata.Server.Execution;

/// <summary>
/// The bytes a command begins with, up to the end of its verb, and what they mean: of one that executes a script by its
/// SHA-1 up to the number of keys. Pipelined commands are mostly of one kind: when the next one begins with the same
/// bytes, they need not be parsed nor the verb, or the script, looked up again. Good as long as the input they lie in.
/// </summary>
internal unsafe struct CommandPrefix
{
    private const int LongestBytes = 96;
    private const int ScriptArguments = 3;

    private byte* _start;
    private int _length;
    private int _argumentsLeft;
    private Argument _verb;
    private Argument _name;
    private Argument _keyCount;

    /// <summary>The row of the verb; only when <see cref="TryRepeat"/> said so.</summary>
    public CommandRow? Row { get; private set; }

    /// <summary>Of a command that executes a script, the script and how many keys it is given; null where only the verb
    /// is the same.</summary>
    public FoundScript Script { get; private set; }

    /// <summary>Remembers a command whose arguments were just read.</summary>
    public void Remember(byte* start, CommandRow row, ArgumentBuffer arguments, in ParsedCommand command)
    {
        _verb = *arguments.At(command.First);
        _length = _verb.Offset + _verb.Length + 2;
        _start = start;
        _argumentsLeft = command.Count - 1;
        Row = *start == (byte)'*' && _length <= LongestBytes && _argumentsLeft > 0 ? row : null;
        Script = default;
    }

    /// <summary>Remembers of a command that executes a script, whose verb is remembered, which one it was.</summary>
    public void RememberScript(
        byte* start, ArgumentBuffer arguments, in ParsedCommand command, in FoundScript script)
    {
        var keyCount = *arguments.At(command.First + ScriptArguments - 1);
        var length = keyCount.Offset + keyCount.Length + 2;
        if (Row != null && length <= LongestBytes)
        {
            _start = start; // The verb may have been another command's, which named another script.
            _name = *arguments.At(command.First + 1);
            _keyCount = keyCount;
            _length = length;
            _argumentsLeft = command.Count - ScriptArguments;
            Script = script;
        }
    }

    /// <summary>Remembers nothing.</summary>
    public void Forget() => Row = null;

    /// <summary>Whether the input begins like the remembered command. Then parsing goes on behind that, unless nothing
    /// is left of the command.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryRepeat(byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
    {
        if (Row == null || length <= _length
            || !new ReadOnlySpan<byte>(input, _length).SequenceEqual(new ReadOnlySpan<byte>(_start, _length)))
        {
            return false;
        }

        arguments.Add(_verb.Offset, _verb.Length);
        if (Script.Known != null)
        {
            arguments.Add(_name.Offset, _name.Length);
            arguments.Add(_keyCount.Offset, _keyCount.Length);
        }

        state.Position = _length;
        state.ArgumentsLeft = _argumentsLeft;
        return true;
    }
}
