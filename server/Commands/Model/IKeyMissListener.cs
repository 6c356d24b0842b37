using Strata.Storage.Index;

namespace Strata.Server.Commands.Model;

/// <summary>Who wants to know of reads that found no key.</summary>
internal interface IKeyMissListener
{
    /// <summary>Whether anybody does now. Any thread.</summary>
    bool WantsMisses { get; }

    /// <summary>A read found no key. Its shard's lease is held.</summary>
    void OnMiss(in Key key);
}
