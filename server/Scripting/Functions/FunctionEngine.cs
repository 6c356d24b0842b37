using System.Diagnostics.CodeAnalysis;
using System.Text;
using Strata.Server.Scripting.Native;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Scripting.Functions;

/// <summary>One worker's functions: a state of Lua apart from that of scripts, as Redis's, in which a library is loaded
/// when the worker first needs it.</summary>
internal sealed class FunctionEngine : IDisposable
{
    private readonly FunctionCatalogue _catalogue;
    private readonly MemoryBudget _budget;
    private readonly ScriptEngine _engine;
    private readonly Dictionary<FunctionLibrary, int[]> _loaded = [];
    private readonly Dictionary<byte[], KnownFunction> _known = new(FunctionName.Comparer);
    private readonly Dictionary<byte[], KnownFunction>.AlternateLookup<ReadOnlySpan<byte>> _knownBySpan;
    private LibrarySet _libraries = LibrarySet.Empty;

    public FunctionEngine(IScriptHost host, FunctionCatalogue catalogue, MemoryBudget budget)
    {
        _catalogue = catalogue;
        _budget = budget;
        _engine = new ScriptEngine(host, budget, ScriptPurpose.Functions);
        _knownBySpan = _known.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>What executes them.</summary>
    public ScriptEngine Engine => _engine;

    /// <summary>Takes over the server's libraries, and gives back what those take here that are not there any more.
    /// Not while a function runs.</summary>
    public void Adopt()
    {
        var libraries = _catalogue.Current;
        if (libraries == _libraries || _engine.IsRunning)
        {
            return;
        }

        _libraries = libraries;
        _known.Clear();
        if (libraries.Count == 0)
        {
            _loaded.Clear();
            _engine.Close();
            return;
        }

        foreach (var (library, numbers) in _loaded)
        {
            if (!libraries.Has(library))
            {
                _loaded.Remove(library);
                Drop(numbers);
            }
        }
    }

    /// <summary>Finds a function.</summary>
    public bool TryFind(ReadOnlySpan<byte> name, [NotNullWhen(true)] out KnownFunction? known)
    {
        Adopt();
        if (!_knownBySpan.TryGetValue(name, out known) && name.Length <= _libraries.LongestTitle
            && _libraries.TryFind(Encoding.Latin1.GetString(name), out var library, out var function))
        {
            known = new KnownFunction(library, function);
            _knownBySpan[name] = known;
        }

        return known != null;
    }

    /// <summary>Loads the library of a function, unless that was done.</summary>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? Load(KnownFunction known, TimeProvider clock)
    {
        var library = known.Library;
        if (known.Number == 0 && !_loaded.ContainsKey(library))
        {
            var loading = new LibraryLoading(host: null, clock, ServerLimits.LibraryLoadTimeoutMs);
            if (TryLoad(library.Code, loading, out var again, out var numbers) is { } problem)
            {
                return problem;
            }

            // While it loads it finds nothing that is not the same each time.
            Invariant.Check(again.Functions.Select(static f => f.Title)
                .SequenceEqual(library.Functions.Select(static f => f.Title)), "a library always registers the same");
            _loaded.Add(library, numbers);
        }

        known.Number = known.Number != 0 ? known.Number : _loaded[library][known.Function.Number];
        return null;
    }

    /// <summary>Loads a library that is not the server's yet.</summary>
    /// <param name="code">Its text.</param>
    /// <param name="loading">What it may ask meanwhile.</param>
    /// <param name="library">The library.</param>
    /// <param name="numbers">Its functions' numbers, to be kept or dropped.</param>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? TryLoad(byte[] code, LibraryLoading loading, out FunctionLibrary library, out int[] numbers)
    {
        library = null!;
        numbers = [];
        if (LibraryHeader.Read(code, out var name, out var start) is { } wrong)
        {
            return wrong;
        }

        if (_engine.Load(code.AsSpan(start), loading, out var registered) is { } problem)
        {
            return problem;
        }

        if (registered.IsEmpty)
        {
            return "No functions registered";
        }

        var functions = new Function[registered.Length];
        numbers = new int[registered.Length];
        for (var i = 0; i < registered.Length; i++)
        {
            functions[i] = Describe(i, registered[i]);
            numbers[i] = registered[i].Function;
        }

        library = new FunctionLibrary(name, code, start, functions);
        return null;
    }

    /// <summary>Loads a library that was saved with the data, and makes it the server's.</summary>
    /// <param name="code">Its text.</param>
    /// <param name="replaces">Whether it takes the place of one of its name.</param>
    /// <param name="loading">What it may ask meanwhile.</param>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? LoadSaved(ReadOnlySpan<byte> code, bool replaces, LibraryLoading loading)
    {
        Adopt();
        using var draft = new LibraryDraft(this, loading, _budget);
        return draft.Add(code, others: replaces ? LibrarySet.Empty : _catalogue.Current)
            ?? draft.Publish(_catalogue, (LibrarySet current, out LibrarySet changed)
                => current.Join(draft.Libraries, replaces, out changed), told: null);
    }

    /// <summary>A library that was loaded here has become the server's.</summary>
    public void Keep(FunctionLibrary library, int[] numbers) => _loaded.Add(library, numbers);

    /// <summary>Functions that were loaded are not needed.</summary>
    public void Drop(int[] numbers)
    {
        foreach (var number in numbers)
        {
            _engine.Forget(number);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _engine.Dispose();

    private static unsafe Function Describe(int number, in NativeScriptFunction native) => new(
        number,
        Encoding.Latin1.GetString(native.Name.Span),
        native.Description.Data == null ? null : native.Description.Span.ToArray(),
        (ScriptFlags)native.Flags);
}
