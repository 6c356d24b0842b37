using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>What a command does with a group and its pending entries, in one go or in steps.</summary>
internal interface IGroupWork : IDisposable
{
    /// <summary>Whether consumers or what is pending change before <see cref="End"/>: in steps that is done on a copy.
    /// </summary>
    bool ChangesPending { get; }

    /// <summary>Index of the name of a consumer that goes with what is pending for it, and so is not in that copy; 0
    /// for none.</summary>
    int LeftOut { get; }

    /// <summary>Whether a consumer was made.</summary>
    bool HasNewConsumer { get; }

    /// <summary>Whether anything was answered.</summary>
    bool IsServed { get; }

    /// <summary>What has become of the key; null for nothing.</summary>
    KeyEvent? What { get; }

    /// <summary>Goes on.</summary>
    /// <returns>Whether it is done, but for <see cref="End"/>.</returns>
    bool TryGoOn(ref GroupStage stage);

    /// <summary>Does the rest, on the group itself: what does not take long, and completes the reply.</summary>
    void End(ref GroupStage stage);
}
