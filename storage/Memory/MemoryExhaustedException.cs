namespace Strata.Storage.Memory;

/// <summary>Memory or address space that an operation needs is not to be had. Thrown before anything was changed, so
/// that the caller can answer with an error and go on.</summary>
public class MemoryExhaustedException : Exception
{
    public MemoryExhaustedException()
        : this("out of memory")
    {
    }

    public MemoryExhaustedException(string message)
        : base(message)
    {
    }

    public MemoryExhaustedException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
