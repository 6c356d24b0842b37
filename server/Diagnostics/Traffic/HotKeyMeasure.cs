namespace Strata.Server.Diagnostics.Traffic;

/// <summary>What makes a key hot.</summary>
public enum HotKeyMeasure
{
    /// <summary>Commands that only read it.</summary>
    Reads,

    /// <summary>Commands that may change it.</summary>
    Writes,

    /// <summary>Bytes of its commands and of their replies.</summary>
    Bytes,
}
