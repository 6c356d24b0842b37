namespace Strata.Server.Scripting;

/// <summary>A script that compiles; it does not change but for when it was used.</summary>
/// <param name="Id">What it is called.</param>
/// <param name="Body">Its text.</param>
/// <param name="BodyStart">Where it begins, behind the first line's words.</param>
/// <param name="Flags">What its first line says.</param>
internal sealed record Script(ScriptId Id, byte[] Body, int BodyStart, ScriptFlags Flags) : Executable(Flags)
{
    // Of managed memory, with what the collector has not come to yet.
    private const int OwnBytes = 400;

    private long _usedMs;
    private bool _isForgotten;

    /// <inheritdoc/>
    public override string Name => Id.ToString();

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
