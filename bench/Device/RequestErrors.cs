using System.Globalization;
using System.Runtime.InteropServices;

namespace Strata.Bench.Device;

/// <summary>Counts failed requests by errno, without allocating. One thread owns it; <see cref="Add"/> merges.
/// </summary>
internal sealed class RequestErrors
{
    // The kernel keeps the numbers of errors below this.
    private const int MaxErrno = 4095;

    private readonly long[] _counts = new long[MaxErrno + 1];

    /// <summary>Requests that failed.</summary>
    public long Total { get; private set; }

    /// <summary>Counts a result that was not the whole block: minus an errno, or too few bytes, kept as errno 0.
    /// </summary>
    public void Record(int result)
    {
        _counts[Math.Clamp(-(long)result, 0, MaxErrno)]++;
        Total++;
    }

    public void Add(RequestErrors other)
    {
        for (var errno = 0; errno <= MaxErrno; errno++)
        {
            _counts[errno] += other._counts[errno];
        }

        Total += other.Total;
    }

    /// <summary>The counts by text, in the order of the errnos.</summary>
    public IReadOnlyDictionary<string, long> ByText() => Enumerable.Range(0, _counts.Length)
        .Where(errno => _counts[errno] > 0)
        .ToDictionary(Text, errno => _counts[errno]);

    private static string Text(int errno) => errno == 0
        ? "short transfer"
        : string.Create(CultureInfo.InvariantCulture, $"errno {errno}: {Marshal.GetPInvokeErrorMessage(errno)}");
}
