namespace Strata.Bench.Top;

/// <summary>What hot keys are told by.</summary>
public enum HotKeyOrder
{
    /// <summary>Commands that read them.</summary>
    Reads,

    /// <summary>Commands that may change them.</summary>
    Writes,

    /// <summary>Bytes of commands and replies.</summary>
    Bytes,
}
