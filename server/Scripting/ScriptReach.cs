namespace Strata.Server.Scripting;

/// <summary>What is known of the keys that a script uses beside those it declares.</summary>
internal enum ScriptReach : byte
{
    /// <summary>Nothing: it was not executed to its end yet.</summary>
    Unknown,

    /// <summary>So far it has used none.</summary>
    Declared,

    /// <summary>It has used others.</summary>
    Others,

    /// <summary>Its code shows that it cannot use others.</summary>
    Proven,
}
