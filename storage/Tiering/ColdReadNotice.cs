using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>Takes what has become of a set of cold records to its worker's thread.</summary>
internal sealed class ColdReadNotice(Action tell) : WorkItem
{
    /// <inheritdoc/>
    public override void Run(Worker worker) => tell();
}
