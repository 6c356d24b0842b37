namespace Strata.Server.Scripting.Functions;

/// <summary>A function that a library has registered.</summary>
/// <param name="Number">Its place among the library's.</param>
/// <param name="Title">Its name: letters, digits and underscores.</param>
/// <param name="Description">What it does, if the library says so.</param>
/// <param name="Flags">What it says that it may do.</param>
internal sealed record Function(int Number, string Title, byte[]? Description, ScriptFlags Flags) : Executable(Flags)
{
    /// <inheritdoc/>
    public override string Name => Title;
}
