namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>Where a code of sparse registers stands.</summary>
/// <param name="At">Its first byte.</param>
/// <param name="First">The first register that it stands for.</param>
internal readonly record struct SparsePlace(int At, int First)
{
    /// <summary>The place behind the code that stands here.</summary>
    public SparsePlace Behind(SparseCode code) => new(At + code.Bytes, First + code.Run);
}
