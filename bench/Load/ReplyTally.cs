using System.Text;

namespace Strata.Bench.Load;

/// <summary>What the replies said: values found and not found, errors by their text. One thread owns a tally.</summary>
public sealed class ReplyTally
{
    private readonly Dictionary<string, long> _errors = [];

    /// <summary>Values that commands found, those in arrays included.</summary>
    public long Hits { get; set; }

    /// <summary>Nulls that commands got instead.</summary>
    public long Misses { get; set; }

    /// <summary>Sum of all integers that came.</summary>
    public long IntegerSum { get; set; }

    /// <summary>Error replies, counted by their whole text.</summary>
    public IReadOnlyDictionary<string, long> Errors => _errors;

    /// <summary>Counts one error reply; allocates, as errors are not what is being measured.</summary>
    public void AddError(ReadOnlySpan<byte> text) => AddErrors(Encoding.UTF8.GetString(text), 1);

    /// <summary>Adds another tally's counts to this one.</summary>
    public void Add(ReplyTally other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Hits += other.Hits;
        Misses += other.Misses;
        IntegerSum += other.IntegerSum;
        foreach (var (text, count) in other._errors)
        {
            AddErrors(text, count);
        }
    }

    private void AddErrors(string text, long count) =>
        _errors[text] = _errors.TryGetValue(text, out var before) ? before + count : count;
}
