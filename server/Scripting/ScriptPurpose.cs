namespace Strata.Server.Scripting;

/// <summary>What a state of Lua is for, numbered as native/include/script.h does.</summary>
internal enum ScriptPurpose
{
    /// <summary>What EVAL executes.</summary>
    Scripts = 0,

    /// <summary>What FCALL executes.</summary>
    Functions = 1,
}
