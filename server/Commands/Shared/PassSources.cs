using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Shared;

/// <summary>The collections, in whatever form, that a command goes through in steps. They are looked up anew in each
/// step, for their records may have been moved.</summary>
internal sealed class PassSources
{
    /// <summary>The most of which a command in steps has.</summary>
    public const int Most = 128;

    private readonly int[] _arguments;
    private readonly Record[] _records;
    private readonly bool[] _areThere;
    private readonly CollectionWalk _walk = new();
    private bool _isWithin;

    /// <summary>The sources, in the order in which they are gone through.</summary>
    /// <param name="arguments">The indices of their keys among the arguments.</param>
    /// <param name="areThere">Which of the keys are there.</param>
    public PassSources(int[] arguments, bool[] areThere)
    {
        _arguments = arguments;
        _areThere = areThere;
        _records = new Record[arguments.Length];
    }

    /// <summary>The number of the source that is gone through.</summary>
    public int Current { get; private set; } = -1;

    /// <summary>The records, as they are in this step; null ones of keys that are not there.</summary>
    public ReadOnlySpan<Record> Records => _records;

    /// <summary>The keys.</summary>
    public Key[] Keys(CommandContext context) => Array.ConvertAll(_arguments, index => context.KeyAt(index));

    /// <summary>Looks the sources up, at the beginning of a step.</summary>
    /// <returns>False when one cannot be seen, or is there no more: the step is made again, or all begins anew.
    /// </returns>
    public bool TryOpen(CommandContext context)
    {
        for (var i = 0; i < _arguments.Length; i++)
        {
            if (context.TryPeek(context.KeyAt(_arguments[i]), out _records[i]) != _areThere[i])
            {
                return false;
            }
        }

        return context.HasSeenAll;
    }

    /// <summary>Gives the next element of the first sources.</summary>
    /// <param name="sources">How many of them are gone through.</param>
    /// <param name="element">The element; good until the next is asked for.</param>
    /// <returns>False when there is none.</returns>
    public bool TryNext(int sources, out WalkedElement element)
    {
        while (true)
        {
            if (_isWithin && _walk.TryNext(_records[Current], out element))
            {
                return true;
            }

            _isWithin = false;
            if (Current + 1 >= sources)
            {
                element = default;
                return false;
            }

            Current++;
            if (_areThere[Current])
            {
                _walk.Begin(_records[Current]);
                _isWithin = true;
            }
        }
    }
}
