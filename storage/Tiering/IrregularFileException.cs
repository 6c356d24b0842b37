namespace Strata.Storage.Tiering;

/// <summary>What bears the name of a file is none: it is to be moved away.</summary>
/// <param name="path">Where it lies.</param>
/// <param name="kind">What it is.</param>
internal sealed class IrregularFileException(string path, string kind)
    : IOException($"{path} is {kind}, and no file: move it away")
{
    /// <summary>Where it lies.</summary>
    public string Path { get; } = path;
}
