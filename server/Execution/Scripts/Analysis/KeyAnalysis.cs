using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Scripting.Bytecode;

namespace Strata.Server.Execution.Scripts.Analysis;

/// <summary>
/// Tells of a script whether its code shows that the keys of all its commands are elements of KEYS: by following what
/// its registers hold along all its ways (data-flow analysis by abstract interpretation, Cousot and Cousot, POPL '77).
/// It goes no further than it is sure: redis.call handed to a function, a function made from text, or a key that is put
/// together, and the answer is no.
/// </summary>
internal sealed class KeyAnalysis
{
    // So much is done at most in one go, while others may wait: about a millisecond.
    private const int MostSteps = 10_000;
    private const int MostInstructions = 2_000;

    private static readonly HashSet<string> s_harmless =
    [
        "ARGV", "assert", "bit", "cjson", "cmsgpack", "collectgarbage", "coroutine", "error", "getmetatable", "math",
        "next", "os", "pcall", "rawequal", "rawget", "rawset", "select", "setmetatable", "string", "struct", "table",
        "tonumber", "tostring", "type", "xpcall",
    ];

    private readonly CalledCommand _command;
    private int _steps;

    private KeyAnalysis(CommandTable commands)
    {
        _command = new CalledCommand(commands);
    }

    /// <summary>Whether a script keeps to the keys it declares.</summary>
    /// <param name="script">Its code.</param>
    /// <param name="commands">All commands.</param>
    public static bool KeepsToItsKeys(Prototype script, CommandTable commands)
        => new KeyAnalysis(commands).IsSure(script, isInner: false);

    private bool IsSure(Prototype function, bool isInner)
    {
        if (function.Code.Count > MostInstructions || !new FunctionAnalysis(this, function, isInner).IsSure())
        {
            return false;
        }

        foreach (var inner in function.Inner)
        {
            if (!IsSure(inner, isInner: true))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>What a global variable holds; null when that may be anything.</summary>
    private static Value? Global(object? name)
    {
        if (name is not byte[] bytes)
        {
            return null;
        }

        return Encoding.Latin1.GetString(bytes) switch
        {
            "KEYS" => new Value(ValueKind.Keys),
            "redis" or "server" => new Value(ValueKind.Redis),
            "ipairs" or "pairs" => new Value(ValueKind.Walker),
            "unpack" => new Value(ValueKind.Unpack),
            var other when s_harmless.Contains(other) => Value.Other,
            _ => null,
        };
    }

    /// <summary>The registers of one function on all its ways.</summary>
    private sealed class FunctionAnalysis
    {
        private readonly KeyAnalysis _owner;
        private readonly Prototype _function;
        private readonly bool _isInner;
        private readonly Registers?[] _before;
        private readonly Stack<int> _toDo = [];
        private readonly HashSet<int> _captured = [];
        private readonly Registers _now;
        private bool _isSure = true;

        public FunctionAnalysis(KeyAnalysis owner, Prototype function, bool isInner)
        {
            _owner = owner;
            _function = function;
            _isInner = isInner;
            _before = new Registers?[function.Code.Count];
            _now = new Registers(function.Registers);
        }

        private IReadOnlyList<Instruction> Code => _function.Code;

        public bool IsSure()
        {
            FindCaptured();
            _now.Fill(0, Value.Other);
            GoTo(0);
            while (_isSure && _toDo.TryPop(out var at))
            {
                _isSure = _owner._steps++ < MostSteps;
                _now.CopyFrom(_before[at]!);
                Execute(at, Code[at]);
            }

            return _isSure;
        }

        /// <summary>Finds the registers that functions within this one use: they hold nothing that must be followed.
        /// </summary>
        private void FindCaptured()
        {
            for (var at = 0; at < Code.Count; at++)
            {
                if (Code[at].Opcode == Opcode.Closure && Code[at].Bx < _function.Inner.Count)
                {
                    for (var left = _function.Inner[Code[at].Bx].Upvalues; left > 0 && ++at < Code.Count; left--)
                    {
                        if (Code[at].Opcode == Opcode.Move)
                        {
                            _captured.Add(Code[at].B);
                        }
                    }
                }
            }
        }

        private void GoTo(int at)
        {
            if (at < 0 || at >= Code.Count)
            {
                _isSure = false;
                return;
            }

            if (_before[at] == null)
            {
                _before[at] = new Registers(_function.Registers);
                _before[at]!.CopyFrom(_now);
                _toDo.Push(at);
            }
            else
            {
                _isSure &= _before[at]!.TryJoin(_now, out var hasChanged);
                if (hasChanged)
                {
                    _toDo.Push(at);
                }
            }
        }

        private void Set(int register, Value value)
        {
            _isSure &= !value.MustBeFollowed || !_captured.Contains(register);
            _now[register] = value;
        }

        private void Execute(int at, Instruction code)
        {
            var next = at + 1;
            switch (code.Opcode)
            {
                case Opcode.Move:
                    Set(code.A, _now[code.B]);
                    break;
                case Opcode.LoadK:
                    Set(code.A, new Value(ValueKind.Constant, (ushort)Math.Min(code.Bx, ushort.MaxValue)));
                    _isSure &= code.Bx < ushort.MaxValue;
                    break;
                case Opcode.LoadNil:
                    for (var register = code.A; register <= code.B; register++)
                    {
                        Set(register, Value.Other);
                    }

                    break;
                case Opcode.LoadBool:
                    Set(code.A, Value.Other);
                    next += code.C != 0 ? 1 : 0;
                    break;
                case Opcode.GetGlobal when Global(ConstantAt(code.Bx)) is { } global:
                    Set(code.A, global);
                    break;
                case Opcode.GetTable:
                    Set(code.A, Element(_now[code.B], code.C));
                    break;
                case Opcode.SetTable:
                    _isSure &= !_now[code.A].MustBeFollowed && !Operand(code.B).MustBeFollowed
                        && !Operand(code.C).MustBeFollowed;
                    break;
                case Opcode.Self:
                    _isSure &= !_now[code.B].MustBeFollowed;
                    Set(code.A + 1, _now[code.B]);
                    Set(code.A, Value.Other);
                    break;
                case Opcode.GetUpvalue or Opcode.NewTable or Opcode.Unm or Opcode.Not or Opcode.Len or Opcode.Concat
                    or (>= Opcode.Add and <= Opcode.Pow):
                    Set(code.A, Value.Other);
                    break;
                case Opcode.Vararg:
                    SetResults(code.A, code.B, Value.Other);
                    break;
                case Opcode.Closure:
                    Set(code.A, Value.Other);
                    next += code.Bx < _function.Inner.Count ? _function.Inner[code.Bx].Upvalues : 0;
                    break;
                case Opcode.SetList:
                    Use(code.A + 1, code.B == 0 ? 0 : code.B + 1);
                    next += code.C == 0 ? 1 : 0; // The next word is a number.
                    break;
                case Opcode.Call or Opcode.TailCall:
                    Call(code);
                    break;
                case Opcode.Close:
                    break;
                default:
                    Jump(at, code);
                    return;
            }

            GoTo(next);
        }

        /// <summary>Executes what goes on elsewhere than with the next instruction.</summary>
        private void Jump(int at, Instruction code)
        {
            switch (code.Opcode)
            {
                case Opcode.Jmp:
                    GoTo(at + 1 + code.Jump);
                    break;
                case Opcode.Eq or Opcode.Lt or Opcode.Le or Opcode.Test:
                    GoTo(at + 1);
                    GoTo(at + 2);
                    break;
                case Opcode.TestSet:
                    GoTo(at + 2);
                    Set(code.A, _now[code.B]);
                    GoTo(at + 1);
                    break;
                case Opcode.ForPrep:
                    Set(code.A, Value.Other);
                    GoTo(at + 1 + code.Jump);
                    break;
                case Opcode.ForLoop:
                    GoTo(at + 1);
                    Set(code.A, Value.Other);
                    Set(code.A + 3, Value.Other);
                    GoTo(at + 1 + code.Jump);
                    break;
                case Opcode.TForLoop:
                    Iterate(at, code);
                    break;
                case Opcode.Return:
                    if (_isInner)
                    {
                        Use(code.A, code.B); // What the script itself returns is its reply.
                    }

                    break;
                default:
                    _isSure = false; // A variable of a function around, or a global one, is set; or it is unknown.
                    break;
            }
        }

        private void Iterate(int at, Instruction code)
        {
            GoTo(at + 2);
            var goesThroughKeys = _now[code.A].Kind == ValueKind.KeyIterator && _now[code.A + 1].Kind == ValueKind.Keys;
            _isSure &= goesThroughKeys || !_now[code.A + 1].MustBeFollowed;
            for (var i = 0; i < code.C; i++)
            {
                Set(code.A + 3 + i, i == 1 && goesThroughKeys ? new Value(ValueKind.Key) : Value.Other);
            }

            Set(code.A + 2, Value.Other);
            GoTo(at + 1);
        }

        private void Call(Instruction code)
        {
            var function = _now[code.A].Kind;
            var arguments = new Arguments(_function, _now, code.A + 1, code.B - 1);
            switch (function)
            {
                case ValueKind.Call:
                    _isSure &= _owner._command.UsesKeysAlone(arguments);
                    SetResults(code.A, code.C, Value.Other);
                    return;
                case ValueKind.Unpack when arguments[0].Kind == ValueKind.Keys:
                    SetResults(code.A, code.C, new Value(ValueKind.Key));
                    return;
                case ValueKind.Walker when arguments[0].Kind == ValueKind.Keys:
                    _isSure &= code.C == 4; // What a loop takes: itself, the table, where it begins.
                    SetResults(code.A, code.C, Value.Other);
                    Set(code.A, new Value(ValueKind.KeyIterator));
                    Set(code.A + 1, new Value(ValueKind.Keys));
                    return;
                default:
                    _isSure &= !_now[code.A].MustBeFollowed;
                    Use(code.A + 1, code.B);
                    SetResults(code.A, code.C, Value.Other);
                    return;
            }
        }

        /// <summary>Values get where they are not followed.</summary>
        /// <param name="first">The register of the first.</param>
        /// <param name="countAndOne">One more than there are; 0 for all up to the open ones.</param>
        private void Use(int first, int countAndOne)
        {
            var isOpen = countAndOne == 0;
            var end = isOpen ? _now.OpenAt : first + countAndOne - 1;
            _isSure &= !isOpen || (_now.OpenAt >= first && !_now.Open.MustBeFollowed);
            for (var register = first; register < end; register++)
            {
                _isSure &= !_now[register].MustBeFollowed;
            }

            if (isOpen)
            {
                _now.CloseOpen();
            }
        }

        /// <summary>Values come from elsewhere; what was in the registers behind them is gone.</summary>
        private void SetResults(int first, int countAndOne, Value value)
        {
            if (countAndOne == 0)
            {
                _now.Fill(first, Value.Other);
                _now.OpenFrom(first, value);
                return;
            }

            _now.CloseOpen();
            _now.Fill(first, Value.Other);
            for (var register = first; register < first + countAndOne - 1; register++)
            {
                Set(register, value);
            }
        }

        private Value Element(Value table, int index)
        {
            switch (table.Kind)
            {
                case ValueKind.Keys:
                    return new Value(ValueKind.Key);
                case ValueKind.Redis:
                    var name = Operand(index) is { Kind: ValueKind.Constant } constant
                        ? ConstantAt(constant.Constant) as byte[]
                        : null;
                    _isSure &= name != null;
                    return name.AsSpan().SequenceEqual("call"u8) || name.AsSpan().SequenceEqual("pcall"u8)
                        ? new Value(ValueKind.Call)
                        : Value.Other;
                case ValueKind.Call:
                    _isSure = false;
                    return Value.Other;
                default:
                    return Value.Other;
            }
        }

        private Value Operand(int operand)
            => Instruction.IsConstant(operand, out var constant)
                ? new Value(ValueKind.Constant, (ushort)constant)
                : _now[operand];

        private object? ConstantAt(int constant)
            => constant < _function.Constants.Count ? _function.Constants[constant] : null;
    }
}
