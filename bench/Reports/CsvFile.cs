using System.Text.Json;

namespace Strata.Bench.Reports;

/// <summary>Gathers results of several runs in one table.</summary>
internal static class CsvFile
{
    /// <summary>Adds the figures of a flat JSON object as a line, after a line with their names where the file is new.
    /// Texts are quoted (RFC 4180); what is an object of its own is left to the JSON.</summary>
    /// <exception cref="BenchException">The file cannot be written, or holds other columns.</exception>
    public static void Append(string path, JsonElement result)
    {
        var figures = result.EnumerateObject().Where(figure => figure.Value.ValueKind != JsonValueKind.Object).ToList();
        var head = string.Join(',', figures.Select(figure => figure.Name));
        try
        {
            var found = File.Exists(path) ? File.ReadLines(path).FirstOrDefault() : null;
            if (found != null && found != head)
            {
                throw new BenchException($"{path} holds other columns: name another file.");
            }

            var line = string.Join(',', figures.Select(figure => Written(figure.Value)));
            File.AppendAllText(path, (found == null ? head + "\n" : "") + line + "\n");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BenchException($"Cannot write {path}: {e.Message}", e);
        }
    }

    private static string Written(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null => "",
        JsonValueKind.String => $"\"{value.GetString()!.Replace("\"", "\"\"", StringComparison.Ordinal)}\"",
        _ => value.GetRawText(),
    };
}
