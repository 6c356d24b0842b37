using System.Text;

namespace Strata.Tests.Support;

/// <summary>
/// Operations in their order. What remains of them while one is left out after the other, halves first, is found as in
/// delta debugging (A. Zeller, R. Hildebrandt, 2002): a sequence knows how far the search has come and goes on there,
/// as each begun anew would take the square of the number of operations.
/// </summary>
internal sealed class OperationSequence<T>
    where T : struct, IOperation<T>
{
    private const int PrintedOfGenerated = 5;
    private const int Rounds = 4;

    // Operations left out together; 0 when arguments are made simpler.
    private readonly int _chunk;
    private readonly int _start;
    private readonly int _round;
    private readonly bool _isGenerated;

    public OperationSequence(T[] operations)
        : this(operations, operations.Length, start: 0, round: 1)
    {
        _isGenerated = true;
    }

    private OperationSequence(T[] operations, int chunk, int start, int round)
    {
        Operations = operations;
        _chunk = chunk;
        _start = start;
        _round = round;
    }

    public T[] Operations { get; }

    public IEnumerable<OperationSequence<T>> Shorter()
    {
        for (var chunk = _chunk; chunk > 0; chunk /= 2)
        {
            for (var at = chunk == _chunk ? _start : 0; at < Operations.Length; at += chunk)
            {
                var behind = Math.Min(at + chunk, Operations.Length);
                yield return new([.. Operations[..at], .. Operations[behind..]], chunk, at, _round);
            }
        }

        for (var at = _chunk == 0 ? _start : 0; at < Operations.Length; at++)
        {
            foreach (var simpler in Operations[at].Simpler())
            {
                yield return new([.. Operations[..at], simpler, .. Operations[(at + 1)..]], chunk: 0, at, _round);
            }
        }

        if (_round < Rounds)
        {
            yield return new(Operations, Operations.Length / 2, start: 0, _round + 1);
        }
    }

    /// <summary>All operations; of a generated sequence, which its seed gives again, the first ones.</summary>
    public override string ToString()
    {
        var text = new StringBuilder($"{Operations.Length} operations");
        var printed = _isGenerated ? Math.Min(PrintedOfGenerated, Operations.Length) : Operations.Length;
        foreach (var operation in Operations.Take(printed))
        {
            text.Append("\n  ").Append(operation);
        }

        return text.Append(printed < Operations.Length ? "\n  and so on" : "").ToString();
    }
}
