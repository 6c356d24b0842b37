using System.Runtime.InteropServices;
using Strata.Storage.Tiering;

namespace Strata.Bench.Kv;

/// <summary>What one thread counts; <see cref="Add"/> merges.</summary>
internal sealed class KvCounts
{
    private readonly long[] _operations = new long[4];
    private readonly long[] _unreadable = new long[4096];
    private readonly long[] _unwritable = new long[4096];

    /// <summary>Operations that succeeded, of all kinds.</summary>
    public long Operations => _operations.Sum();

    /// <summary>Those of them whose key was not there.</summary>
    public long Missing { get; set; }

    /// <summary>Records that were not as they had been written.</summary>
    public long Damaged { get; set; }

    /// <summary>Operations that found no memory.</summary>
    public long OutOfMemory { get; set; }

    /// <summary>What was read and cannot be right.</summary>
    public long Mismatches { get; private set; }

    /// <summary>The first of it, in words.</summary>
    public string? FirstMismatch { get; private set; }

    public long this[KvVerb verb] => _operations[(int)verb];

    public void Count(KvVerb verb) => _operations[(int)verb]++;

    /// <summary>Counts an operation whose record cannot be had.</summary>
    public void CountUnreadable(ColdReadSet set)
    {
        if (set.Failure == ColdReadFailure.Damaged)
        {
            Damaged++;
        }
        else
        {
            _unreadable[set.FailureErrno & (_unreadable.Length - 1)]++;
        }
    }

    /// <summary>Counts an operation that was refused because pages cannot be written.</summary>
    public void CountUnwritable(int errno) => _unwritable[errno & (_unwritable.Length - 1)]++;

    public void CountMismatch(string what)
    {
        Mismatches++;
        FirstMismatch ??= what;
    }

    public void Add(KvCounts other)
    {
        Sum(_operations, other._operations);
        Sum(_unreadable, other._unreadable);
        Sum(_unwritable, other._unwritable);
        Missing += other.Missing;
        Damaged += other.Damaged;
        OutOfMemory += other.OutOfMemory;
        Mismatches += other.Mismatches;
        FirstMismatch ??= other.FirstMismatch;
    }

    /// <summary>Failed operations by text.</summary>
    public IReadOnlyDictionary<string, long> Errors()
    {
        var errors = new Dictionary<string, long>();
        AddText("damaged record", Damaged);
        AddText("out of memory", OutOfMemory);
        for (var errno = 0; errno < _unreadable.Length; errno++)
        {
            AddText(FormattableString.Invariant($"read: errno {errno}: {Text(errno)}"), _unreadable[errno]);
            AddText(FormattableString.Invariant($"write: errno {errno}: {Text(errno)}"), _unwritable[errno]);
        }

        return errors;

        void AddText(string text, long count)
        {
            if (count > 0)
            {
                errors.Add(text, count);
            }
        }
    }

    private static string Text(int errno) => Marshal.GetPInvokeErrorMessage(errno);

    private static void Sum(long[] to, long[] from)
    {
        for (var i = 0; i < to.Length; i++)
        {
            to[i] += from[i];
        }
    }
}
