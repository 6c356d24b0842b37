using System.Reflection;
using CommandLine;
using CommandLine.Text;
using Strata.Server.Versions;

namespace Strata.Bench;

/// <summary>What the tool says of itself, and of arguments that are wrong.</summary>
internal static class BenchHelp
{
    private const int Columns = 120;

    private static readonly string s_heading = $"strata-bench {ProductVersion.Text}";

    /// <summary>Whether help was asked for, or the version.</summary>
    public static bool IsAskedFor(IEnumerable<Error> errors) => errors.All(
        error => error is HelpRequestedError or HelpVerbRequestedError or VersionRequestedError);

    /// <summary>The text for arguments that name no benchmark to run.</summary>
    public static string TextFor<T>(ParserResult<T> result, IEnumerable<Error> errors)
        => errors.Any(error => error is VersionRequestedError)
            ? s_heading
            : HelpText.AutoBuild(
                result,
                help =>
                {
                    var built = HelpText.DefaultParsingErrorsHandler(result, help);
                    built.Heading = s_heading;
                    built.Copyright = "";
                    built.AddPostOptionsLine(ExampleOf(result.TypeInfo.Current)
                        ?? "For a benchmark's flags and an example: strata-bench VERB --help");
                    return built;
                },
                example => example,
                verbsIndex: true,
                maxDisplayWidth: Columns);

    /// <summary>The line that shows an example of a verb; null for what is none.</summary>
    public static string? ExampleOf(Type options)
        => options.GetCustomAttribute<VerbAttribute>() is { } verb
            && options.GetCustomAttribute<ExampleAttribute>() is { } example
            ? $"Example: strata-bench {verb.Name} {example.Flags}"
            : null;
}
