using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;

namespace Strata.Server.Scripting.Functions;

/// <summary>Libraries that are there together, and their functions, which have different names. It does not change.
/// </summary>
internal sealed class LibrarySet
{
    private readonly ImmutableSortedDictionary<string, FunctionLibrary> _libraries;
    private readonly ImmutableDictionary<string, (FunctionLibrary Library, Function Function)> _functions;

    private LibrarySet(
        ImmutableSortedDictionary<string, FunctionLibrary> libraries,
        ImmutableDictionary<string, (FunctionLibrary Library, Function Function)> functions,
        int longestTitle,
        long memoryBytes,
        long codeBytes)
    {
        _libraries = libraries;
        _functions = functions;
        LongestTitle = longestTitle;
        MemoryBytes = memoryBytes;
        CodeBytes = codeBytes;
    }

    /// <summary>No libraries.</summary>
    public static LibrarySet Empty { get; } = new(
        ImmutableSortedDictionary.Create<string, FunctionLibrary>(StringComparer.Ordinal),
        ImmutableDictionary.Create<string, (FunctionLibrary, Function)>(StringComparer.OrdinalIgnoreCase), 0, 0, 0);

    /// <summary>The libraries in the order of their names.</summary>
    public IEnumerable<FunctionLibrary> Libraries => _libraries.Values;

    /// <summary>How many libraries.</summary>
    public int Count => _libraries.Count;

    /// <summary>How many functions.</summary>
    public int FunctionCount => _functions.Count;

    /// <summary>Characters that no function's name has more than.</summary>
    public int LongestTitle { get; }

    /// <summary>What all take beside what the workers have compiled, bytes.</summary>
    public long MemoryBytes { get; }

    /// <summary>Bytes of all texts.</summary>
    public long CodeBytes { get; }

    /// <summary>Whether this very library is there, not just one of its name.</summary>
    public bool Has(FunctionLibrary library) => _libraries.TryGetValue(library.Name, out var there) && there == library;

    /// <summary>Bytes that those take that are not in another set.</summary>
    public long BytesBeside(LibrarySet other)
    {
        var bytes = 0L;
        foreach (var library in _libraries.Values)
        {
            bytes += other.Has(library) ? 0 : library.MemoryBytes;
        }

        return bytes;
    }

    /// <summary>Whether there is a library of this name.</summary>
    public bool Contains(string name) => _libraries.ContainsKey(name);

    /// <summary>Finds a function, whatever the case of its name's letters.</summary>
    public bool TryFind(
        string name, [NotNullWhen(true)] out FunctionLibrary? library, [NotNullWhen(true)] out Function? function)
    {
        var isThere = _functions.TryGetValue(name, out var found);
        (library, function) = found;
        return isThere;
    }

    /// <summary>These libraries without one.</summary>
    public LibrarySet Without(string name)
    {
        if (!_libraries.TryGetValue(name, out var library))
        {
            return this;
        }

        return new(
            _libraries.Remove(name),
            _functions.RemoveRange(library.Functions.Select(static function => function.Title)),
            LongestTitle,
            MemoryBytes - library.MemoryBytes,
            CodeBytes - library.Code.Length);
    }

    /// <summary>These libraries and others. Unless those are to take the place of libraries of the same names, there
    /// may be none, and never functions of the same names.</summary>
    /// <param name="others">The others.</param>
    /// <param name="replaces">Whether they take the place of those of the same names.</param>
    /// <param name="joined">All of them.</param>
    /// <returns>What stands against it, or null.</returns>
    public string? Join(LibrarySet others, bool replaces, out LibrarySet joined)
    {
        joined = this;
        foreach (var library in others.Libraries)
        {
            if (!replaces && Contains(library.Name))
            {
                return $"Library {library.Name} already exists";
            }

            joined = joined.Without(library.Name);
        }

        foreach (var library in others.Libraries)
        {
            if (library.Functions.FirstOrDefault(joined.HasFunction) is { } function)
            {
                return $"Function {function.Title} already exists";
            }

            joined = joined.With(library);
        }

        return null;
    }

    /// <summary>The only library of a set.</summary>
    public static LibrarySet Of(FunctionLibrary library) => Empty.With(library);

    private bool HasFunction(Function function) => _functions.ContainsKey(function.Title);

    private LibrarySet With(FunctionLibrary library) => new(
        _libraries.Add(library.Name, library),
        _functions.AddRange(library.Functions.Select(f => KeyValuePair.Create(f.Title, (library, f)))),
        library.Functions.Aggregate(LongestTitle, static (longest, f) => Math.Max(longest, f.Title.Length)),
        MemoryBytes + library.MemoryBytes,
        CodeBytes + library.Code.Length);
}
