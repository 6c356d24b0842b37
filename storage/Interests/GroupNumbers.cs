using System.Runtime.CompilerServices;

namespace Strata.Storage.Interests;

/// <summary>A few numbers, each once. Beyond some it does not know them any more: then it takes each for a new one.
/// </summary>
internal struct GroupNumbers
{
    private const int Most = 16;

    private Numbers _numbers;
    private int _count;

    /// <summary>Adds a number.</summary>
    /// <returns>False when it was added before.</returns>
    public bool TryAdd(ulong number)
    {
        if (((ReadOnlySpan<ulong>)_numbers)[.._count].Contains(number))
        {
            return false;
        }

        if (_count < Most)
        {
            _numbers[_count++] = number;
        }

        return true;
    }

    [InlineArray(Most)]
    private struct Numbers
    {
        private ulong _first;
    }
}
