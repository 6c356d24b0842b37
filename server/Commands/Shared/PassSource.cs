using Strata.Storage.Log;

namespace Strata.Server.Commands.Shared;

/// <summary>One of the collections of <see cref="PassSources"/>.</summary>
internal struct PassSource
{
    /// <summary>Its record, as it was in the step of number <see cref="OpenedIn"/>.</summary>
    public Record Record;

    /// <summary>Elements; 0 where there is no collection.</summary>
    public long Count;

    /// <summary>What scores are multiplied by.</summary>
    public double Weight;

    /// <summary>The hash of its key.</summary>
    public ulong Hash;

    /// <summary>The argument that is its key.</summary>
    public int Argument;

    /// <summary>The last step that has looked it up.</summary>
    public int OpenedIn;
}
