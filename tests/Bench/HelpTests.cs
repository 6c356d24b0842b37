using System.Reflection;
using CommandLine;
using NUnit.Framework;
using Strata.Bench;
using Strata.Server.Text;

namespace Strata.Tests.Bench;

/// <summary>What the tool tells those who ask for help.</summary>
[NonParallelizable]
internal sealed class HelpTests
{
    private static IEnumerable<Type> Verbs =>
        typeof(BenchCommandLine).Assembly.GetTypes().Where(type => type.GetCustomAttribute<VerbAttribute>() != null);

    [TestCaseSource(nameof(Verbs))]
    public void Help_of_a_verb_goes_to_the_output_with_an_example(Type options)
    {
        var verb = options.GetCustomAttribute<VerbAttribute>()!.Name;
        var (exitCode, output, error) = BenchRun.Run(verb, "--help");
        Assert.That((exitCode, error), Is.EqualTo((0, "")));
        Assert.That(output, Does.Contain($"Example: strata-bench {verb} --"));
    }

    [TestCaseSource(nameof(Verbs))]
    public void The_example_is_right(Type options)
    {
        var flags = options.GetCustomAttribute<ExampleAttribute>()!.Flags;
        Assert.That(QuotedWords.TrySplit(flags, out var words));
        if (options.Name == "MicroOptions")
        {
            Assert.That(words, Is.EqualTo(new[] { "--filter", "*", "--job", "short" }), "BenchmarkDotNet's own");
            return;
        }

        using var parser = new Parser(settings =>
        {
            settings.AllowMultiInstance = true;
            settings.CaseInsensitiveEnumValues = true;
        });
        var verb = options.GetCustomAttribute<VerbAttribute>()!.Name;
        Assert.That(parser.ParseArguments([verb, .. words], options).Tag, Is.EqualTo(ParserResultType.Parsed));
    }

    [TestCase("--help")]
    [TestCase("help")]
    [TestCase("--version")]
    public void What_was_asked_for_goes_to_the_output(string argument)
    {
        var (exitCode, output, error) = BenchRun.Run(argument);
        Assert.That((exitCode, error), Is.EqualTo((0, "")));
        Assert.That(output, Does.Contain("strata-bench"));
    }

    [TestCase("nonsense")]
    [TestCase("resp", "--nonsense")]
    [TestCase("chart")]
    public void Wrong_arguments_are_told_on_the_error_output(params string[] arguments)
    {
        var (exitCode, output, error) = BenchRun.Run(arguments);
        Assert.That((exitCode, output), Is.EqualTo((2, "")));
        Assert.That(error, Does.Contain("ERROR"));
    }
}
