namespace Strata.Server.Scripting;

/// <summary>What EVAL or FCALL executes: a script, or a function.</summary>
/// <param name="Flags">What it says that it may do.</param>
internal abstract record Executable(ScriptFlags Flags)
{
    private byte _reach;

    /// <summary>What errors, the log and FUNCTION STATS call it.</summary>
    public abstract string Name { get; }

    /// <summary>What is known of the keys it uses; any worker learns it.</summary>
    public ScriptReach Reach
    {
        get => (ScriptReach)Volatile.Read(ref _reach);
        set => Volatile.Write(ref _reach, (byte)value);
    }

    /// <summary>Whether it says that it changes nothing.</summary>
    public bool ChangesNothing => (Flags & ScriptFlags.NoWrites) != 0;
}
