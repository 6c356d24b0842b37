using System.Text.Json;

namespace Strata.Bench.Reports;

/// <summary>How results are written as JSON: camelCase names, indented.</summary>
internal static class BenchJson
{
    public static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        // Error texts and commands should stay readable; the output is never embedded in HTML.
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };
}
