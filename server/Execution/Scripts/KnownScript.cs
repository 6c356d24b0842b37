using Strata.Server.Scripting;

namespace Strata.Server.Execution.Scripts;

/// <summary>A script as one worker knows it.</summary>
internal sealed class KnownScript
{
    /// <summary>One that is not compiled here yet.</summary>
    public KnownScript(Script script)
    {
        Script = script;
    }

    /// <summary>The script.</summary>
    public Script Script { get; }

    /// <summary>Its number in the worker's state of Lua; 0 when it has none.</summary>
    public int Function { get; set; }

    /// <summary><see cref="ScriptEngine.Generation"/> when it was compiled.</summary>
    public int Generation { get; set; }
}
