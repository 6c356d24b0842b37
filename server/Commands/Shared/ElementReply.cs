using Strata.Server.Resp;

namespace Strata.Server.Commands.Shared;

/// <summary>Elements of a collection, which does not change meanwhile, on their way to a reply.</summary>
internal abstract class ElementReply
{
    /// <summary>Writes the next element, and before the first the header, if it is known by then.</summary>
    /// <returns>False when there is none.</returns>
    public abstract bool TryWrite(ReplyWriter reply);

    /// <summary>All elements were written: writes a header that was not known before.</summary>
    public virtual void WriteHeader(ReplyWriter reply)
    {
    }
}
