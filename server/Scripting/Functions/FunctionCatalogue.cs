using Strata.Storage.Memory;

namespace Strata.Server.Scripting.Functions;

/// <summary>The server's libraries of functions. What changes them puts another set in the place of the one before, so
/// that whoever looks sees all of a change or nothing. Any thread.</summary>
internal sealed class FunctionCatalogue
{
    /// <summary>Why libraries are refused for which there is no memory.</summary>
    public const string NoMemory = "there is no memory for the library";

    private readonly Lock _lock = new();
    private readonly MemoryBudget _budget;
    private volatile LibrarySet _current = LibrarySet.Empty;
    private MemoryCharge _charge;

    /// <summary>No libraries.</summary>
    public FunctionCatalogue(MemoryBudget budget)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Changes the libraries.</summary>
    /// <param name="current">Those that there are.</param>
    /// <param name="changed">Those that there are to be.</param>
    /// <returns>What stands against it, or null.</returns>
    public delegate string? Change(LibrarySet current, out LibrarySet changed);

    /// <summary>The libraries as they are now.</summary>
    public LibrarySet Current => _current;

    /// <summary>The same between two changes: whoever has made one has told of it.</summary>
    public LibrarySet AtMoment()
    {
        lock (_lock)
        {
            return _current;
        }
    }

    /// <summary>Changes the libraries.</summary>
    /// <param name="change">How.</param>
    /// <param name="told">Called when they have changed, before anybody can change them again.</param>
    /// <returns>What stands against it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for them.</exception>
    public string? Apply(Change change, Action? told)
    {
        lock (_lock)
        {
            if (change(_current, out var changed) is { } problem)
            {
                return problem;
            }

            var grown = changed.CodeBytes > _current.CodeBytes;
            if (grown && changed.CodeBytes > ServerLimits.MaxLibraryBytes)
            {
                return $"the libraries would be longer than {ServerLimits.MaxLibraryBytes >> 20} MB together: "
                    + "FUNCTION DELETE those that are not needed";
            }

            if (grown && _budget.WouldPassEndNow(changed.MemoryBytes - _current.MemoryBytes))
            {
                throw new MemoryExhaustedException(NoMemory);
            }

            var dropped = _current.BytesBeside(changed);
            _charge.Set(changed.MemoryBytes + dropped);
            _charge.LeaveToCollector(dropped);
            _current = changed;
            told?.Invoke();
            return null;
        }
    }
}
