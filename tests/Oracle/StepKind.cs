namespace Strata.Tests.Oracle;

/// <summary>How a step is carried out.</summary>
internal enum StepKind
{
    /// <summary>The commands are sent as they are and their replies read.</summary>
    Commands,

    /// <summary>A SCAN, repeated from its cursor until that is 0; the reply is the set of keys seen.</summary>
    FullScan,

    /// <summary>A scan like that, and then DBSIZE, whose reply counts.</summary>
    KeyCount,

    /// <summary>RANDOMKEY, and whether the key that it names exists; the reply leaves out which key it was.</summary>
    RandomKey,
}
