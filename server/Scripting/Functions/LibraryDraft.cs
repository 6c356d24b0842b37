using Strata.Storage.Memory;

namespace Strata.Server.Scripting.Functions;

/// <summary>Libraries that are to become the server's together. What was loaded of them is dropped when they have not.
/// </summary>
/// <param name="engine">Where they are loaded.</param>
/// <param name="loading">What they may ask meanwhile.</param>
/// <param name="budget">What their texts are charged to.</param>
internal sealed class LibraryDraft(FunctionEngine engine, LibraryLoading loading, MemoryBudget budget) : IDisposable
{
    private readonly List<(FunctionLibrary Library, int[] Numbers)> _loaded = [];
    private MemoryCharge _charge = new(budget);

    /// <summary>The libraries.</summary>
    public LibrarySet Libraries { get; private set; } = LibrarySet.Empty;

    /// <summary>Loads one more.</summary>
    /// <param name="code">Its text.</param>
    /// <param name="others">Libraries whose names it may not have.</param>
    /// <returns>What is wrong with it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public string? Add(ReadOnlySpan<byte> code, LibrarySet others)
    {
        if (LibraryHeader.Read(code, out var name, out _) is { } wrong)
        {
            return wrong;
        }

        if (others.Contains(name))
        {
            return $"Library '{name}' already exists";
        }

        if (budget.WouldPassEndNow(code.Length))
        {
            throw new MemoryExhaustedException(FunctionCatalogue.NoMemory);
        }

        _charge.Set(_charge.Bytes + code.Length);
        if (engine.TryLoad(code.ToArray(), loading, out var library, out var numbers) is { } problem)
        {
            return problem;
        }

        _loaded.Add((library, numbers));
        if (Libraries.Join(LibrarySet.Of(library), replaces: false, out var libraries) is { } collision)
        {
            return collision;
        }

        Libraries = libraries;
        return null;
    }

    /// <summary>Makes them the server's.</summary>
    /// <param name="catalogue">The server's libraries.</param>
    /// <param name="change">How these become part of them.</param>
    /// <param name="told">Called when they are, before anybody can change them again.</param>
    /// <returns>What stands against it, or null.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory for them.</exception>
    public string? Publish(FunctionCatalogue catalogue, FunctionCatalogue.Change change, Action? told)
    {
        var bytes = _charge.Bytes;
        _charge.Set(0); // Here or there.
        var isPublished = false;
        try
        {
            if (catalogue.Apply(change, told) is { } problem)
            {
                return problem;
            }

            isPublished = true;
        }
        finally
        {
            _charge.Set(isPublished ? 0 : bytes);
        }

        foreach (var (library, numbers) in _loaded)
        {
            engine.Keep(library, numbers);
        }

        _loaded.Clear();
        return null;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var (_, numbers) in _loaded)
        {
            engine.Drop(numbers);
        }

        _loaded.Clear();
        _charge.LeaveToCollector(_charge.Bytes);
    }
}
