namespace Strata.Bench.Kv;

/// <summary>How far an operation came.</summary>
internal enum KvAttempt
{
    /// <summary>It was done, well or with an error.</summary>
    Done,

    /// <summary>It goes on when what it reads from the device has come.</summary>
    Reading,

    /// <summary>Its lease was taken, or what it needs has moved: it is to be tried again.</summary>
    Again,

    /// <summary>It needs memory that will be free when writes under way have ended.</summary>
    Room,
}
