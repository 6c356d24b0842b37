using System.Collections;

namespace Strata.Tests.Simulation;

/// <summary>
/// Whether some serial order of a history's requests, each between its sending and its reply, gives all the replies
/// (Wing and Gong, JPDC '93, with the memory of Lowe, CCPE '17, of the states that led nowhere). Requests without a
/// reply may have been executed at any time since, or refused, or have come to nobody. One client's are executed in the
/// order they were sent. What expires is there up to its deadline by the clock and gone after it; in between lie the
/// requests during which the clock passed it. What was evicted went at the moment the server told of it.
/// </summary>
internal sealed class LinearizabilityChecker
{
    /// <summary>The states that are tried, unless it is said otherwise.</summary>
    public const int UsualStates = 200_000;

    private readonly List<Operation> _operations;
    private readonly BitArray _done;
    private readonly bool _mayRefuse;
    private readonly int _maxStates;
    private readonly HashSet<string> _seen = [];

    /// <summary>A check of a history.</summary>
    /// <param name="operations">Requests in the order they were sent.</param>
    /// <param name="mayRefuse">Whether memory or the disk may have been short.</param>
    /// <param name="maxStates">States after which the search is given up.</param>
    public LinearizabilityChecker(
        IEnumerable<Operation> operations, bool mayRefuse, int maxStates = UsualStates)
    {
        _maxStates = maxStates;
        _operations = [.. operations.OrderBy(operation => operation.InvokedAt)];
        _done = new BitArray(_operations.Count);
        _mayRefuse = mayRefuse;
    }

    /// <summary>Whether the search was given up: there were too many orders to try. Then nothing is known.</summary>
    public bool IsUndecided { get; private set; }

    /// <summary>The most requests that could be put in an order, and the replies from which none goes on.</summary>
    public string Obstacle { get; private set; } = "";

    private int Most { get; set; } = -1;

    /// <summary>Looks for an order.</summary>
    /// <returns>False when there is none, or none was found before too many were tried.</returns>
    public bool TryOrder()
    {
        var isFound = false;

        // The search is as deep as the history is long.
        var thread = new Thread(() => isFound = TryOrder(new KeyspaceState(), 0), 256 << 20);
        thread.Start();
        thread.Join();
        return isFound;
    }

    private bool TryOrder(KeyspaceState state, int count)
    {
        var taken = TakeReads(state);
        var candidates = Candidates();
        var isFound = !_operations.Where((operation, i) => operation.IsAnswered && !_done[i]).Any()
            || (IsNew(state) && TryEach(state, candidates, count + taken.Count));
        if (!isFound && count + taken.Count > Most)
        {
            Most = count + taken.Count;
            Obstacle = $"{Most} requests in order, then:\n{ReplyText.Shorten(state.Print())}\n"
                + "none of these could be next:\n"
                + string.Join('\n', candidates.Select(i => _operations[i]));
        }

        foreach (var i in taken)
        {
            _done[i] = isFound;
        }

        return isFound;
    }

    /// <summary>Puts next whatever may be next, and changes nothing: no order is lost by that.</summary>
    private List<int> TakeReads(KeyspaceState state)
    {
        var taken = new List<int>();
        while (true)
        {
            var candidates = Candidates();
            var read = candidates.FindIndex(i => _operations[i].IsAnswered && IsRead(state, i));
            if (read < 0)
            {
                return taken;
            }

            var index = candidates[read];
            _done[index] = true;
            taken.Add(index);
        }
    }

    private bool IsRead(KeyspaceState state, int index)
    {
        // Whatever expires first is a change.
        var next = state.Copy();
        var model = new KeyspaceModel(next, _operations[index].InvokedMs);
        return model.TryApply(_operations[index], _mayRefuse) && !next.IsChanged;
    }

    private bool TryEach(KeyspaceState state, List<int> candidates, int count)
    {
        foreach (var i in candidates)
        {
            for (var refused = 0; refused <= MostRefused(_operations[i]); refused++)
            {
                if (TryAtAnyMoment(state, i, refused, count))
                {
                    return true;
                }
            }

            if (_mayRefuse && !_operations[i].IsAnswered && TryNext(state, i, count))
            {
                return true; // It was refused, which nobody was told.
            }
        }

        return false;
    }

    private bool TryAtAnyMoment(KeyspaceState state, int index, int refused, int count)
    {
        foreach (var nowMs in KeyspaceModel.MomentsOf(_operations[index], state))
        {
            var next = state.Copy();
            if (new KeyspaceModel(next, nowMs).TryApply(_operations[index], _mayRefuse, refused)
                && TryNext(next, index, count))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Which of a request's commands may have been refused by themselves, which nobody was told: all of them,
    /// a bit each.</summary>
    private int MostRefused(Operation operation)
        => _mayRefuse && !operation.IsAnswered && operation.Request.IsOfSeveral
            ? (1 << operation.Request.Commands.Count) - 1
            : 0;

    private bool TryNext(KeyspaceState state, int index, int count)
    {
        _done[index] = true;
        if (TryOrder(state, count + 1))
        {
            return true;
        }

        _done[index] = false;
        return false;
    }

    private bool IsNew(KeyspaceState state)
    {
        IsUndecided |= _seen.Count >= _maxStates;
        if (IsUndecided)
        {
            return false;
        }

        var bits = new byte[(_done.Length + 7) / 8];
        _done.CopyTo(bits, 0);
        return _seen.Add(Convert.ToBase64String(bits) + state.Print());
    }

    /// <summary>The requests that may be next, those first that were answered first.</summary>
    private List<int> Candidates()
    {
        var candidates = new List<int>();
        var firstReturn = long.MaxValue;
        var first = 0;
        while (first < _operations.Count && _done[first])
        {
            first++;
        }

        for (var i = first; i < _operations.Count && _operations[i].InvokedAt < firstReturn; i++)
        {
            if (!_done[i])
            {
                firstReturn = Math.Min(firstReturn, _operations[i].ReturnedAt);
                if (!candidates.Exists(other => MustFollow(_operations[i], _operations[other])))
                {
                    candidates.Add(i);
                }
            }
        }

        _ = candidates.RemoveAll(i => IsHeldUp(first, i) || _operations[i].InvokedAt > firstReturn);
        candidates.Sort((left, right) => _operations[left].ReturnedAt.CompareTo(_operations[right].ReturnedAt));
        return candidates;
    }

    private bool IsHeldUp(int first, int index)
    {
        for (var i = first; i < index; i++)
        {
            if (!_done[i] && MustFollow(_operations[index], _operations[i]))
            {
                return true;
            }
        }

        return false;
    }

    private static bool MustFollow(Operation operation, Operation earlier)
        => operation.Client == earlier.Client;
}
