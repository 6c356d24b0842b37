using NUnit.Framework;

namespace Strata.Tests.Tidy;

/// <summary>Proves that every rule finds what it forbids, at its line, and lets its good neighbour pass.</summary>
[TestFixture]
internal sealed class TidyRuleTests
{
    // Put together here, so that this file keeps the rules it tests.
    private const string Home = "/ho" + "me/someone";

    [Test]
    public void Every_rule_is_tested_with_a_violation()
    {
        var tested = Violations().Select(data => ((TidyRule)data.Arguments[0]!).Name).Distinct();

        Assert.That(tested, Is.EquivalentTo(TidyRules.All.Select(rule => rule.Name)));
    }

    [TestCaseSource(nameof(Violations))]
    public void Finds(TidyRule rule, SourceFile file, int line)
    {
        var violations = rule.Find(file).ToList();

        Assert.That(violations, Has.Count.EqualTo(1), string.Join(Environment.NewLine, violations));
        Assert.That(violations[0].Path, Is.EqualTo(file.Path));
        Assert.That(violations[0].Line, Is.EqualTo(line));
    }

    [TestCaseSource(nameof(GoodFiles))]
    public void Lets_pass(TidyRule rule, SourceFile file) => Assert.That(rule.Find(file), Is.Empty);

    private static IEnumerable<TestCaseData> Violations() => [.. WrongTexts(), .. WrongKnowledge()];

    private static IEnumerable<TestCaseData> WrongTexts()
    {
        yield return Bad(
            "Short_methods", 3, "server/A.cs",
            $"class A\n{{\n  void M()\n  {{\n{Repeat("F();\n", 68)}  }}\n}}");
        yield return Bad("Short_methods", 3, "server/A.cs", $"class A\n{{\n  int P =>\n{Repeat("1 +\n", 70)}1;\n}}");
        yield return Bad("Short_methods", 1, "server/Program.cs", Repeat("F();\n", 71));
        yield return Bad("Short_files", 501, "server/A.cs", Repeat("\n", 500) + "class A;\n");
        yield return Bad("Short_files", 501, "bench/a.sh", Repeat("true\n", 501));
        yield return Bad("Short_lines", 2, "server/A.cs", "class A;\n//" + Repeat("-", 119));
        yield return Bad("No_tabs", 2, "server/A.cs", "class A\n{\tint _a; }");
        yield return Bad("No_machine_paths", 1, "docs/A.md", $"See {Home}/notes.");
        yield return Bad("No_machine_paths", 1, "server/A.cs", "// D:" + @"\strata\a.txt");
        yield return Bad("No_unfinished_marks", 2, "server/A.cs", "class A;\n// TODO: more");
        yield return Bad("No_unfinished_marks", 1, "server/A.cs", "/// <summary>FIXME</summary>\nclass A;");
        yield return Bad(
            "No_unfinished_marks", 1, "server/A.cs",
            "class A { A() => throw new NotImplementedException(); }");
        yield return Bad("No_unfinished_marks", 1, "native/src/a.cc", "// HACK");
        yield return Bad("Scripts_can_run", 1, "bench/a.sh", "#!/bin/sh\n");
        yield return Bad("Scripts_can_run", 1, ".ci/run", "#!/bin/sh\n");
        yield return Bad("No_partial_by_hand", 1, "server/A.cs", "partial class A { void M() { } }");
        yield return Bad(
            "No_empty_catch", 1, "server/A.cs",
            "class A { void M() { try { F(); } catch (E) { /* fine */ } } }");
        yield return Bad("One_public_type_per_file", 2, "server/A.cs", "public class A;\npublic class B;");
        yield return Bad("One_public_type_per_file", 1, "server/A.cs", "internal class B;");
        yield return Bad("One_public_type_per_file", 2, "server/A.cs", "public class A;\npublic delegate void B();");
        yield return Bad("Public_types_documented", 1, "server/A.cs", "public class A;");
        yield return Bad(
            "Public_types_documented", 2, "storage/A.cs",
            "/// <summary>A.</summary>\npublic class A { public enum B { } }");
        yield return Bad("Namespaces_follow_folders", 1, "storage/Index/A.cs", "namespace Strata.Storage;\nclass A;");
        yield return Bad(
            "Namespaces_follow_folders", 1, "storage/Index/A.cs",
            "namespace Strata.Storage.Index { class A; }");
        yield return Bad("Namespaces_follow_folders", 1, "tests/Index/A.cs", "class A;");
        yield return Bad("Storage_stands_alone", 1, "storage/A.cs", "using Strata.Server.Resp;");
        yield return Bad(
            "Storage_stands_alone", 1, "storage/A.csproj",
            "<ProjectReference Include=\"../server/Strata.Server.csproj\" />");
        yield return Bad(
            "No_waits_on_the_data_path", 1, "storage/Index/A.cs",
            "class A { void M() { lock (this) { F(); } } }");
        yield return Bad("No_waits_on_the_data_path", 1, "server/Resp/A.cs", "class A { async void M() { F(); } }");
        yield return Bad("No_waits_on_the_data_path", 1, "server/Network/A.cs", "class A { void M() => Task.Run(F); }");
        yield return Bad("Repeatable_runs", 1, "storage/A.cs", "class A { long T() => Stopwatch.GetTimestamp(); }");
        yield return Bad("Repeatable_runs", 1, "server/A.cs", "class A { object T() => DateTime.UtcNow.Ticks; }");
        yield return Bad("Repeatable_runs", 1, "server/A.cs", "class A { Random _random = new(); }");
        yield return Bad("Repeatable_runs", 1, "server/A.cs", "class A { object R() => new Random(3); }");
        yield return Bad("Repeatable_runs", 1, "server/A.cs", "class A { int R() => Random.Shared.Next(3); }");
        yield return Bad(
            "Repeatable_runs", 1, "server/A.cs",
            "class A { int R() => RandomNumberGenerator.GetInt32(3); }");
        yield return Bad("No_linq_on_the_data_path", 1, "storage/A.cs", "using System.Linq;");
        yield return Bad(
            "No_linq_on_the_data_path", 1, "storage/A.cs",
            "class A { int M() => _all.Sum(one => one.Size); }");
        yield return Bad(
            "No_linq_on_the_data_path", 1, "server/Execution/A.cs",
            "class A { object M() => _all.ToList(); }");
        yield return Bad(
            "No_linq_on_the_data_path", 1, "server/Execution/A.cs",
            "class A { object M() => from a in _all select a; }");
    }

    private static IEnumerable<TestCaseData> WrongKnowledge()
    {
        yield return Bad("Knowledge_has_one_direction", 2, "storage/Log/A.cs", "\nusing Strata.Storage.Sharding;");
        yield return Bad(
            "Knowledge_has_one_direction", 1, "server/Resp/A.cs",
            "class A { Strata.Server.Options.B _b; }");
        yield return Bad("Knowledge_has_one_direction", 1, "storage/Elsewhere/A.cs", "class A;");
        yield return Bad(
            "Knowledge_has_one_direction", 1, "server/Commands/Model/A.cs", "using Strata.Server.Commands.Keys;");
        yield return Bad("Knowledge_has_one_direction", 1, "server/Execution/A.cs", "class A { StrataServer _s; }");
    }

    private static IEnumerable<TestCaseData> GoodFiles()
    {
        yield return Good(
            "Short_methods", "server/A.cs",
            $"class A\n{{\n  [X]\n  void M()\n  {{\n{Repeat("F();\n", 67)}  }}\n}}");
        yield return Good("Short_files", "server/A.cs", Repeat("\n", 499) + "class A;\n");
        yield return Good("Short_lines", "server/A.cs", "//" + Repeat("-", 118));
        yield return Good("No_machine_paths", "docs/A.md", "GET https://example.org/home/page, ./root/a, $HOME/a");
        yield return Good("No_unfinished_marks", "server/A.cs", "class A { string _a = \"TODO\"; }");
        yield return Good("Scripts_can_run", "bench/a.sh", "#!/bin/sh\n", isExecutable: true);
        yield return Good(
            "No_partial_by_hand", "server/A.cs",
            "partial class A { [LoggerMessage(1)] partial void M(); }");
        yield return Good(
            "No_empty_catch", "server/A.cs",
            "class A { void M() { try { F(); } catch (E e) { Log(e); } } }");
        yield return Good(
            "One_public_type_per_file", "server/A.cs",
            "public class A<T> { public class B; }\nfile class C;");
        yield return Good(
            "Public_types_documented", "server/A.cs",
            "/// <summary>A.</summary>\n[X]\npublic class A;\ninternal class B;");
        yield return Good(
            "Namespaces_follow_folders", "storage/Index/A.cs",
            "namespace Strata.Storage.Index;\nclass A;");
        yield return Good("Namespaces_follow_folders", "server/Program.cs", "return 0;");
        yield return Good("Storage_stands_alone", "storage/A.cs", "namespace Strata.Storage;");
        yield return Good(
            "No_waits_on_the_data_path", "storage/Devices/A.cs",
            "class A { async void M() => await F(); }");
        yield return Good("Knowledge_has_one_direction", "storage/Log/A.cs", "using Strata.Storage.Index;");
        yield return Good(
            "Knowledge_has_one_direction", "storage/Log/B/A.cs",
            "using Strata.Storage.Log;\nnamespace Strata.Storage.Log.B;");
        yield return Good("Knowledge_has_one_direction", "server/A.cs", "using Strata.Server.Clients;");
        yield return Good("Repeatable_runs", "storage/A.cs", "class A { long S(long t) => t / Stopwatch.Frequency; }");
        yield return Good("Repeatable_runs", "server/A.cs", "class A { Random _r; object T() => _clock.GetUtcNow(); }");
        yield return Good("Repeatable_runs", "tests/A.cs", "class A { object R() => new Random(); }");
        yield return Good(
            "Repeatable_runs", "storage/Runtime/Platform.cs",
            "class Platform { Random R() => new(); TimeProvider C => TimeProvider.System; }");
        yield return Good("No_waits_on_the_data_path", "server/Network/A.cs", "class A { Task _stopped; }");
        yield return Good(
            "No_linq_on_the_data_path", "server/Commands/A.cs",
            "class A { object M() => _all.ToList(); }");
        yield return Good(
            "No_linq_on_the_data_path", "storage/A.cs",
            "class A { void M() { _map.Select(3); a.Count(); } }");
    }

    // Newer syntax must not blind the rules: each of these is followed by a method that is found too long.
    [TestCase("extension(string s) { public int Half => s.Length / 2; }")]
    [TestCase("int P { get; set => field = value; }")]
    [TestCase("void M(A? a) => a?.B = 1;")]
    [TestCase("void M(params ReadOnlySpan<int> values) => N([1, .. values]);")]
    public void Sees_past_newer_syntax(string member)
    {
        var text = $"static class A\n{{\n{member}\nvoid Long()\n{{\n{Repeat("F();\n", 68)}}}\n}}";
        var file = new SourceFile("server/A.cs", text);

        var violations = SyntaxRules.LongMethods(file).ToList();

        Assert.That(violations, Has.Count.EqualTo(1));
        Assert.That(violations[0].Line, Is.EqualTo(4));
    }

    private static TestCaseData Bad(string rule, int line, string path, string text) =>
        new TestCaseData(RuleOf(rule), new SourceFile(path, text), line).SetArgDisplayNames(rule, path, Start(text));

    private static TestCaseData Good(string rule, string path, string text, bool isExecutable = false) =>
        new TestCaseData(RuleOf(rule), new SourceFile(path, text, isExecutable))
            .SetArgDisplayNames(rule, path, Start(text));

    // Tells the cases of one rule apart by name.
    private static string Start(string text) => text.Length <= 40 ? text : text[..40];

    private static TidyRule RuleOf(string name) => TidyRules.All.Single(rule => rule.Name == name);

    private static string Repeat(string text, int times) => string.Concat(Enumerable.Repeat(text, times));
}
