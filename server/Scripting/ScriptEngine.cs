using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Text;
using Strata.Server.Resp;
using Strata.Server.Scripting.Bytecode;
using Strata.Server.Scripting.Native;
using Strata.Server.Versions;
using Strata.Storage.Memory;

namespace Strata.Server.Scripting;

/// <summary>One worker's state of Lua, opened when it is first needed, and the scripts that were compiled in it, or the
/// functions of libraries.</summary>
internal sealed unsafe class ScriptEngine : IDisposable
{
    private const int CallOfCheck = 2;
    private const int TellsProtocol = 1;
    private const int TellsReplication = 2;

    // What the library hands out is freed beyond.
    private const int KeptBytes = 65536;

    private readonly MemoryBudget _budget;
    private readonly ScriptPurpose _purpose;
    private readonly Dictionary<ScriptId, int> _functions = [];
    private IScriptHost _host;
    private GCHandle _self;
    private nint _state;
    private long _chargedBytes;
    private NativeScriptResult* _result; // With WideVectors.Bytes behind it.
    private ExceptionDispatchInfo? _failure;

    public ScriptEngine(IScriptHost host, MemoryBudget budget, ScriptPurpose purpose)
    {
        _host = host;
        _budget = budget;
        _purpose = purpose;
    }

    /// <summary>Bytes charged to the budget; any thread may read it.</summary>
    public long ChargedBytes => Volatile.Read(ref _chargedBytes);

    /// <summary>Whether something is executed in it.</summary>
    public bool IsRunning { get; private set; }

    /// <summary>Changes when what was compiled is forgotten.</summary>
    public int Generation { get; private set; }

    /// <summary>Compiles a script, unless that was done.</summary>
    /// <param name="script">The script.</param>
    /// <param name="function">Its number here.</param>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? Compile(Script script, out int function)
    {
        if (_functions.TryGetValue(script.Id, out function))
        {
            return null;
        }

        if (Open() is { } problem)
        {
            return problem;
        }

        if (_functions.Count >= ServerLimits.MaxCompiledScripts)
        {
            Forget();
        }

        NativeScriptError error;
        int compiled;
        int status;
        fixed (byte* body = script.Body)
        {
            var length = script.Body.Length - script.BodyStart;
            status = ScriptLibrary.Compile(_state, body + script.BodyStart, length, &compiled, &error);
        }

        ThrowIfFailed(status);
        if (status != ScriptStatus.Ok)
        {
            return $"Error compiling script (new function): {TextOf(error)}";
        }

        function = compiled;
        _functions.Add(script.Id, function);
        return null;
    }

    /// <summary>Runs a library, so that it registers its functions.</summary>
    /// <param name="body">Its text.</param>
    /// <param name="loading">What it may ask meanwhile.</param>
    /// <param name="functions">The functions; good until the next call.</param>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? Load(
        ReadOnlySpan<byte> body, IScriptHost loading, out ReadOnlySpan<NativeScriptFunction> functions)
    {
        functions = default;
        if (Open() is { } problem)
        {
            return problem;
        }

        NativeScriptFunction* registered;
        NativeScriptError error;
        int count;
        int status;
        var host = _host;
        _host = loading;
        fixed (byte* text = body)
        {
            status = ScriptLibrary.Load(_state, text, body.Length, &registered, &count, &error);
        }

        _host = host;
        ThrowIfFailed(status);
        functions = new(registered, count);
        return status switch
        {
            ScriptStatus.Ok => null,
            ScriptStatus.EStopped => "Error registering functions: ERR FUNCTION LOAD timeout",
            _ => TextOf(error),
        };
    }

    /// <summary>Forgets a function of a library.</summary>
    public void Forget(int function) => ScriptLibrary.Forget(_state, function);

    /// <summary>Executes a script.</summary>
    /// <param name="function">Its number.</param>
    /// <param name="run">What it is executed with.</param>
    /// <param name="result">What it returns, or has raised otherwise; good until the next call.</param>
    /// <returns>Whether it has ended well.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public bool TryExecute(int function, NativeScriptRun* run, out NativeScriptResult* result)
    {
        IsRunning = true;
        WideVectors.End((byte*)(_result + 1));
        var status = Execute(function, run);
        IsRunning = false;
        result = _result;
        ThrowIfFailed(status);
        return status == ScriptStatus.Ok;
    }

    /// <summary>Frees a result that was read, where it is large.</summary>
    public void Free(NativeScriptResult* result)
    {
        if (result->Reply.Length > KeptBytes || result->Error.Text.Length > KeptBytes
            || result->Error.Source.Length > KeptBytes)
        {
            ScriptLibrary.Trim(_state);
            *result = default;
        }
    }

    /// <summary>Collects the garbage that scripts have left, where it is worth it. On the worker's thread.</summary>
    public void Collect()
    {
        if (_state != 0 && !IsRunning)
        {
            ScriptLibrary.Collect(_state);
        }
    }

    /// <summary>Finds a script that was compiled.</summary>
    /// <param name="id">The script.</param>
    /// <param name="function">Its number here.</param>
    public bool TryFind(in ScriptId id, out int function) => _functions.TryGetValue(id, out function);

    /// <summary>Reads the code of a script that was compiled.</summary>
    /// <param name="function">Its number.</param>
    /// <returns>Null where there is no memory for it, or Lua was built with numbers of another kind.</returns>
    public Prototype? ReadCode(int function)
    {
        NativeBytes chunk;
        if (ScriptLibrary.Dump(_state, function, &chunk) != ScriptStatus.Ok)
        {
            return null;
        }

        try
        {
            return ChunkReader.Read(chunk.Span);
        }
        catch (InvalidDataException)
        {
            return null; // Nobody depends on it: the script is taken to use any key.
        }
    }

    /// <summary>Gives back the state and all that was compiled in it.</summary>
    public void Close()
    {
        if (_state != 0)
        {
            ScriptLibrary.Close(_state);
            NativeMemory.Free(_result);
            _state = 0;
            _result = null;
            _functions.Clear();
            Generation++;
            _self.Free();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Close();

    private string? Open()
    {
        if (_state != 0)
        {
            return null;
        }

        if (ScriptLibraryLoader.Problem is { } problem)
        {
            return $"scripts cannot be executed: {problem}";
        }

        _self = GCHandle.Alloc(this);
        var version = Encoding.ASCII.GetBytes(RedisCompatibility.Version);
        fixed (byte* text = version)
        {
            var options = new NativeScriptOptions
            {
                Host =
                {
                    Owner = (void*)GCHandle.ToIntPtr(_self),
                    Call = &Call,
                    Tell = &Tell,
                    Charge = &Charge,
                    Interrupt = &Interrupt,
                },
                RedisVersion = { Data = text, Length = version.Length },
                RedisVersionNumber = RedisCompatibility.VersionNumber,
                Purpose = (int)_purpose,
            };
            nint state;
            var status = ScriptLibrary.Open(&options, &state);
            if (status != ScriptStatus.Ok)
            {
                _self.Free();
                ThrowIfFailed(status);
                return $"scripts cannot be executed: the native library has refused to start (status {status})";
            }

            _state = state;
            var bytes = (nuint)(sizeof(NativeScriptResult) + WideVectors.Bytes);
            _result = (NativeScriptResult*)NativeMemory.AllocZeroed(bytes);
        }

        return null;
    }

    /// <summary>Calls the library with nothing before it in the same method.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Execute(int function, NativeScriptRun* run)
        => ScriptLibrary.Execute(_state, function, run, &_result->Reply, &_result->Error);

    private string TextOf(in NativeScriptError error)
    {
        var bytes = error.Text.Span; // It may name a word of the text, which is of any length.
        var text = Encoding.Latin1.GetString(bytes[..Math.Min(bytes.Length, ServerLimits.MaxScriptErrorBytes)]);
        if (bytes.Length > KeptBytes)
        {
            ScriptLibrary.Trim(_state);
        }

        return text;
    }

    private void Forget()
    {
        foreach (var function in _functions.Values)
        {
            ScriptLibrary.Forget(_state, function);
        }

        _functions.Clear();
        Generation++;
    }

    private void ThrowIfFailed(int status)
    {
        var failure = _failure;
        _failure = null;
        failure?.Throw();
        if (status == ScriptStatus.EMemory)
        {
            throw new MemoryExhaustedException("there is no memory for the script");
        }
    }

    private static ScriptEngine Of(void* owner) => (ScriptEngine)GCHandle.FromIntPtr((nint)owner).Target!;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Call(void* owner, int how, byte* bytes, Argument* arguments, int count, NativeBytes* reply)
    {
        var engine = Of(owner);
        try
        {
            var request = new Request(bytes, arguments, count);
            var mayGoOn = true;
            ReadOnlySpan<byte> answer;
            if (how == CallOfCheck)
            {
                engine._host.CheckAccess(request, out answer);
            }
            else
            {
                mayGoOn = engine._host.TryCall(request, out answer);
            }

            // What it lies in is native memory.
            reply->Data = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(answer));
            reply->Length = answer.Length;
            return mayGoOn ? ScriptStatus.Ok : ScriptStatus.EStopped;
        }
        catch (Exception exception)
        {
            return engine.Fail(exception);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Tell(void* owner, int what, long number, byte* text, long length)
    {
        var engine = Of(owner);
        try
        {
            switch (what)
            {
                case TellsProtocol when number is 2 or 3:
                    engine._host.SetProtocol((int)number);
                    return ScriptStatus.Ok;
                case TellsProtocol:
                case TellsReplication when number is < 0 or > 3:
                    return ScriptStatus.EArgument;
                case TellsReplication:
                    return ScriptStatus.Ok; // Nothing is replicated.
                default:
                    engine._host.Log((int)number, new ReadOnlySpan<byte>(text, checked((int)length)));
                    return ScriptStatus.Ok;
            }
        }
        catch (Exception exception)
        {
            return engine.Fail(exception);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Charge(void* owner, long bytes)
    {
        var engine = Of(owner);
        if (bytes > 0 && engine._budget.WouldPassEndNow(bytes))
        {
            return ScriptStatus.EMemory;
        }

        engine._budget.Charge(bytes);
        Volatile.Write(ref engine._chargedBytes, engine._chargedBytes + bytes);
        return ScriptStatus.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Interrupt(void* owner)
    {
        var engine = Of(owner);
        try
        {
            return engine._host.MayGoOn() ? ScriptStatus.Ok : ScriptStatus.EStopped;
        }
        catch (Exception exception)
        {
            return engine.Fail(exception);
        }
    }

    /// <summary>Keeps what may not be thrown across native frames, until they have ended.</summary>
    private int Fail(Exception exception)
    {
        _failure = ExceptionDispatchInfo.Capture(exception);
        return ScriptStatus.EStopped;
    }
}
