namespace Strata.Server.Execution.Scripts.Analysis;

/// <summary>What is known of a value of a script's.</summary>
internal enum ValueKind : byte
{
    /// <summary>No way leads here yet.</summary>
    None,

    /// <summary>Anything but what leads to keys.</summary>
    Other,

    /// <summary>A constant of the function's, whose number is <see cref="Value.Constant"/>.</summary>
    Constant,

    /// <summary>One of the declared keys, or nil.</summary>
    Key,

    /// <summary>A function that takes a table and goes through it: ipairs, pairs.</summary>
    Walker,

    /// <summary>unpack.</summary>
    Unpack,

    /// <summary>What ipairs or pairs has given for the table of the declared keys.</summary>
    KeyIterator,

    // From here on: what must not get where it cannot be followed.

    /// <summary>The table of the declared keys.</summary>
    Keys,

    /// <summary>The table of Redis's functions.</summary>
    Redis,

    /// <summary>redis.call or redis.pcall.</summary>
    Call,
}
