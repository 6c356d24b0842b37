namespace Strata.Server.Scripting.Functions;

/// <summary>A library that has been loaded: it does not change.</summary>
/// <param name="name">Its name: letters, digits and underscores.</param>
/// <param name="code">Its text.</param>
/// <param name="bodyStart">Where it begins, behind the first line's words.</param>
/// <param name="functions">What it has registered, in this order.</param>
internal sealed class FunctionLibrary(string name, byte[] code, int bodyStart, Function[] functions)
{
    // Of managed memory, with the entries of the catalogue and what the collector has not come to yet.
    private const int OwnBytes = 500;
    private const int FunctionBytes = 400;

    public string Name { get; } = name;

    public byte[] Code { get; } = code;

    public int BodyStart { get; } = bodyStart;

    public IReadOnlyList<Function> Functions { get; } = functions;

    /// <summary>What it takes beside what the workers have compiled, bytes.</summary>
    public long MemoryBytes { get; } = code.Length + OwnBytes
        + functions.Sum(function => FunctionBytes + function.Title.Length + (function.Description?.Length ?? 0L));
}
