namespace Strata.Storage.Memory;

/// <summary>The lenience of the thread until it is disposed of; then that of before is in force again.</summary>
public readonly ref struct LenienceScope
{
    [ThreadStatic]
    private static Lenience s_current;

    private readonly Lenience _before;

    /// <summary>Sets it.</summary>
    public LenienceScope(Lenience lenience)
    {
        _before = s_current;
        s_current = lenience;
    }

    /// <summary>What is in force on this thread.</summary>
    public static Lenience Current => s_current;

    /// <summary>Ends it.</summary>
    public void Dispose() => s_current = _before;
}
