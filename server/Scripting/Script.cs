namespace Strata.Server.Scripting;

/// <summary>A script that compiles; it does not change but for when it was used.</summary>
/// <param name="Id">What it is called.</param>
/// <param name="Body">Its text.</param>
/// <param name="BodyStart">Where it begins, behind the first line's words.</param>
/// <param name="Flags">What its first line says.</param>
internal sealed record Script(ScriptId Id, byte[] Body, int BodyStart, ScriptFlags Flags)
{
    // Of managed memory, with what the collector has not come to yet.
    private const int OwnBytes = 400;

    private long _usedMs;
    private byte _reach;
    private bool _isForgotten;

    /// <summary>Whether SCRIPT LOAD has brought it, so that it stays until SCRIPT FLUSH.</summary>
    public bool IsLoaded { get; init; }

    /// <summary>Whether the server has forgotten it, but for what workers have compiled; any worker may find that.
    /// </summary>
    public bool IsForgotten
    {
        get => Volatile.Read(ref _isForgotten);
        set => Volatile.Write(ref _isForgotten, value);
    }

    /// <summary>Whether its code was looked at to learn which keys it uses.</summary>
    public bool IsAnalyzed { get; set; }

    /// <summary>What is known of the keys it uses; any worker learns it.</summary>
    public ScriptReach Reach
    {
        get => (ScriptReach)Volatile.Read(ref _reach);
        set => Volatile.Write(ref _reach, (byte)value);
    }

    /// <summary>Whether its first line says that it changes nothing.</summary>
    public bool ChangesNothing => (Flags & ScriptFlags.NoWrites) != 0;

    /// <summary>What it takes beside what the workers have compiled, bytes.</summary>
    public long MemoryBytes => Body.Length + OwnBytes;

    /// <summary>When it was executed last, milliseconds since 1970; by any worker.</summary>
    public long UsedMs
    {
        get => Volatile.Read(ref _usedMs);
        set
        {
            if (_usedMs != value)
            {
                Volatile.Write(ref _usedMs, value);
            }
        }
    }
}
