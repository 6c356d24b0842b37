namespace Strata.Bench.Charts;

/// <summary>Writes charts to files.</summary>
internal static class ChartFile
{
    /// <summary>Writes a chart; makes the folder if it is missing.</summary>
    /// <exception cref="BenchException">It cannot be written.</exception>
    public static void Write(string path, string chart)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            File.WriteAllText(path, chart + "\n");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BenchException($"Cannot write {path}: {e.Message}", e);
        }
    }
}
