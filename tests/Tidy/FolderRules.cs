using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Strata.Tests.Tidy;

/// <summary>Which folder may know which: knowledge has one direction. A folder knows those that stand below it, never
/// one above; folders within a folder are of one room, unless they have a place of their own.</summary>
internal static class FolderRules
{
    /// <summary>From the lowest to the highest.</summary>
    private static readonly Dictionary<string, string[]> s_order = new()
    {
        ["storage"] =
        [
            "Interop",
            "Memory",
            "Runtime",
            "Leases",
            "Index",
            "Log",
            "Changes",
            "Records",
            "Strings",
            "Collections",
            "Census",
            "Devices",
            "Tiering",
            "Interests",
            "Upkeep",
            "Sharding",
            "Snapshot",
        ],
        ["server"] =
        [
            "Text",
            "Versions",
            "Resp",
            "Rdb",
            "Scripting",
            "Options",
            "Lifecycle",
            "Runtime",
            "Journal/Files",
            "Network",
            "Commands/Model",
            "Diagnostics",
            "Messaging",
            "Notifications",
            "Persistence",
            "Journal",
            "Clients",
            "Metrics",
            "Reports",
            "Commands",
            "Execution",
            "Hosting",
        ],
    };

    /// <summary>What stands in a project's own folder, above all others, and puts them together.</summary>
    private static readonly string[] s_roof = ["StrataServer", "ServerWorker"];

    public static IEnumerable<Violation> UpwardKnowledge(SourceFile file)
    {
        if (!file.IsCSharp || file.Path.Split('/') is not [var project, .. { Length: > 0 } folders, _]
            || !s_order.TryGetValue(project, out var order))
        {
            yield break;
        }

        var folder = string.Join('/', folders);
        var own = PlaceOf(folder, order);
        if (own < 0)
        {
            yield return new(file.Path, 1, $"{project}/{folder} has no place in FolderRules");
            yield break;
        }

        var names = file.Unit.DescendantNodes().OfType<QualifiedNameSyntax>();
        foreach (var used in names.Where(name => name.Parent is not QualifiedNameSyntax))
        {
            if (FolderOf(used.ToString(), project) is { } other && PlaceOf(other, order) is var place && place > own)
            {
                yield return file.At(
                    used, $"{project}/{order[own]} knows {project}/{order[place]}, which stands above it");
            }
        }

        foreach (var used in file.Unit.DescendantNodes().OfType<IdentifierNameSyntax>())
        {
            if (s_roof.Contains(used.Identifier.ValueText))
            {
                yield return file.At(used, $"{project}/{order[own]} knows {used}, which stands above all folders");
            }
        }
    }

    /// <summary>The place of a folder, or of the next one around it that has one; -1 for none.</summary>
    private static int PlaceOf(string folder, string[] order)
    {
        for (var name = folder; name.Length > 0; name = name[..Math.Max(0, name.LastIndexOf('/'))])
        {
            if (Array.IndexOf(order, name) is >= 0 and var place)
            {
                return place;
            }
        }

        return -1;
    }

    /// <summary>The folder of a namespace of the project, or null for others.</summary>
    private static string? FolderOf(string name, string project)
    {
        var parts = name.Split('.');
        return parts.Length > 2 && parts[0] == "Strata"
            && parts[1].Equals(project, StringComparison.OrdinalIgnoreCase)
            ? string.Join('/', parts[2..])
            : null;
    }
}
