using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Strata.Tests.Tidy;

/// <summary>A text file of the repository as the tidy rules see it. C# is parsed when a rule first asks.</summary>
internal sealed class SourceFile
{
    private static readonly string[] s_skippedFolders = [".git", ".vs", ".idea", "bin", "obj", "out", "TestResults"];

    private static readonly string[] s_textExtensions =
    [
        ".cs", ".sh", ".py", ".js", ".rb", ".c", ".cc", ".cpp", ".h", ".hpp", ".cmake", ".txt", ".conf", ".md",
        ".csproj", ".props", ".targets", ".slnx", ".json", ".yml", ".yaml", ".editorconfig", ".html", ".css",
    ];

    private static readonly string[] s_textNames =
        ["Dockerfile", ".dockerignore", ".gitignore", ".gitattributes", "run"];

    private static readonly CSharpParseOptions s_parseOptions = new(LanguageVersion.Preview);

    private readonly Lazy<CompilationUnitSyntax> _unit;

    public SourceFile(string path, string text, bool isExecutable = false)
    {
        Path = path;
        Text = text;
        IsExecutable = isExecutable;
        Lines = text.TrimEnd('\n').Split('\n');
        _unit = new(() => CSharpSyntaxTree.ParseText(Text, s_parseOptions).GetCompilationUnitRoot());
    }

    /// <summary>Relative to the repository's root, with slashes.</summary>
    public string Path { get; }

    public string Text { get; }

    public IReadOnlyList<string> Lines { get; }

    /// <summary>Whether its owner may run it.</summary>
    public bool IsExecutable { get; }

    public string Extension => System.IO.Path.GetExtension(Path);

    public bool IsCSharp => Extension == ".cs";

    /// <summary>C#, C++ and scripts: what has a size limit.</summary>
    public bool IsCode =>
        IsCSharp || IsScript
        || Extension is ".sh" or ".py" or ".js" or ".rb" or ".c" or ".cc" or ".cpp" or ".h" or ".hpp";

    public bool IsScript => Text.StartsWith("#!", StringComparison.Ordinal);

    public CompilationUnitSyntax Unit => _unit.Value;

    public static IReadOnlyList<SourceFile> LoadAll(string root)
    {
        var files = new List<SourceFile>();
        Load(root, root, files);
        return files;
    }

    public bool IsUnder(string folder) => Path.StartsWith(folder + "/", StringComparison.Ordinal);

    public Violation At(SyntaxNode node, string what) => At(node.GetLocation(), what);

    public Violation At(Location location, string what) =>
        new(Path, location.GetLineSpan().StartLinePosition.Line + 1, what);

    private static void Load(string root, string folder, List<SourceFile> files)
    {
        foreach (var path in Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal))
        {
            var name = System.IO.Path.GetFileName(path);
            if (s_textNames.Contains(name) || s_textExtensions.Contains(System.IO.Path.GetExtension(name)))
            {
                var isExecutable = File.GetUnixFileMode(path).HasFlag(UnixFileMode.UserExecute);
                files.Add(new(System.IO.Path.GetRelativePath(root, path), File.ReadAllText(path), isExecutable));
            }
        }

        foreach (var path in Directory.EnumerateDirectories(folder).Order(StringComparer.Ordinal))
        {
            if (!s_skippedFolders.Contains(System.IO.Path.GetFileName(path)))
            {
                Load(root, path, files);
            }
        }
    }
}
