using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Strata.Storage.Interop;

/// <summary>A native library of the same build that lies beside the program.</summary>
/// <param name="name">Its name, without "lib" and ".so".</param>
/// <param name="otherRemedy">What can be done without it, as the end of a sentence; nothing where that is not so.
/// </param>
public sealed class LibraryFile(string name, string otherRemedy = "")
{
    private static readonly ConcurrentDictionary<(Assembly Caller, string Name), nint> s_loaded = new();
    private static readonly ConcurrentDictionary<Assembly, bool> s_resolved = new();

    /// <summary>Where it is.</summary>
    public string Path { get; } = System.IO.Path.Combine(AppContext.BaseDirectory, $"lib{name}.so");

    /// <summary>Loads it, and asks it whether it is the right one.</summary>
    /// <param name="caller">The assembly whose imports it answers.</param>
    /// <param name="compare">Calls it, and says why it cannot be used, or null.</param>
    /// <returns>Why it cannot be used, with the remedy; or null.</returns>
    public string? Load(Assembly caller, Func<string?> compare)
    {
        if (Load(Path, out var library) is { } problem)
        {
            return problem;
        }

        Resolve(caller, library);
        try
        {
            return compare();
        }
        catch (EntryPointNotFoundException exception)
        {
            return DoesNotLoad(exception);
        }
    }

    /// <summary>Loads a library that has yet to be asked.</summary>
    /// <returns>Why it does not load, or null.</returns>
    internal string? Load(string path, out nint library)
    {
        library = 0;
        if (!File.Exists(path))
        {
            return $"the native library is missing at '{path}': put the one of the same build there{otherRemedy}";
        }

        try
        {
            library = NativeLibrary.Load(path);
            return null;
        }
        catch (Exception exception) when (exception is DllNotFoundException or BadImageFormatException)
        {
            return DoesNotLoad(exception);
        }
    }

    /// <summary>Has the imports of an assembly answered by a library that was loaded.</summary>
    private void Resolve(Assembly caller, nint library)
    {
        s_loaded[(caller, name)] = library;
        if (s_resolved.TryAdd(caller, true))
        {
            // An assembly has one resolver for all its native libraries: 0 leaves the others to the runtime.
            NativeLibrary.SetDllImportResolver(
                caller, static (asked, assembly, _) => s_loaded.GetValueOrDefault((assembly, asked)));
        }
    }

    private string DoesNotLoad(Exception exception)
        => $"the native library does not load ({exception.Message}): "
            + $"build it on this system with ./build.sh{otherRemedy}";
}
