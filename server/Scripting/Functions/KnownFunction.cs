namespace Strata.Server.Scripting.Functions;

/// <summary>A function as one worker knows it.</summary>
/// <param name="Library">What has registered it.</param>
/// <param name="Function">The function.</param>
internal sealed record KnownFunction(FunctionLibrary Library, Function Function)
{
    /// <summary>Its number in the worker's state of Lua; 0 as long as the library is not loaded there.</summary>
    public int Number { get; set; }
}
