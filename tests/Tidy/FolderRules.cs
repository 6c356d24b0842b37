using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Strata.Tests.Tidy;

/// <summary>Which folder may know which: knowledge has one direction. A folder knows those of the layers below its
/// own, never one above. Folders of one layer may know each other only where they are still a knot, which is named as
/// one and is to be undone, not to grow.</summary>
internal static class FolderRules
{
    /// <summary>From the lowest layer to the highest.</summary>
    private static readonly Dictionary<string, string[][]> s_layers = new()
    {
        ["storage"] =
        [
            ["Interop"],
            ["Memory"],
            ["Runtime"],
            ["Index"],
            ["Log"],
            ["Changes"],
            ["Devices"],

            // A knot: the editors of values know the shard, which knows what it keeps for them and its tier.
            ["Strings", "Collections", "Tiering", "Sharding"],
        ],
        ["server"] =
        [
            ["Text"],
            ["Versions"],
            ["Resp"],
            ["Options"],
            ["Lifecycle"],
            ["Runtime"],
            ["Network"],
            ["Commands/Model"],
            ["Diagnostics"],
            ["Messaging"],
            ["Notifications"],
            ["Clients"],
            ["Reports"],
            ["Commands"],
            ["Execution"],
            ["Hosting"],
        ],
    };

    /// <summary>What stands in a project's own folder, above all others, and puts them together.</summary>
    private static readonly string[] s_roof = ["StrataServer", "ServerWorker"];

    public static IEnumerable<Violation> UpwardKnowledge(SourceFile file)
    {
        if (!file.IsCSharp || file.Path.Split('/') is not [var project, .. { Length: > 0 } folders, _]
            || !s_layers.TryGetValue(project, out var layers))
        {
            yield break;
        }

        var folder = string.Join('/', folders);
        if (RoomOf(folder, layers) is not { } own)
        {
            yield return new(file.Path, 1, $"{project}/{folder} has no place in FolderRules");
            yield break;
        }

        var names = file.Unit.DescendantNodes().OfType<QualifiedNameSyntax>();
        foreach (var used in names.Where(name => name.Parent is not QualifiedNameSyntax))
        {
            if (FolderOf(used.ToString(), project) is { } other && RoomOf(other, layers) is { } room
                && room.Name != own.Name && room.Layer >= own.Layer && !IsKnot(layers, own.Layer, room.Layer))
            {
                yield return file.At(used, $"{project}/{own.Name} knows {project}/{room.Name}, which stands above it");
            }
        }

        foreach (var used in file.Unit.DescendantNodes().OfType<IdentifierNameSyntax>())
        {
            if (s_roof.Contains(used.Identifier.ValueText))
            {
                yield return file.At(used, $"{project}/{own.Name} knows {used}, which stands above all folders");
            }
        }
    }

    private static bool IsKnot(string[][] layers, int own, int other) => own == other && layers[own].Length > 1;

    /// <summary>The room that a folder belongs to, by the longest name that stands in the layers, and its layer; null
    /// for none.</summary>
    private static (string Name, int Layer)? RoomOf(string folder, string[][] layers)
    {
        for (var name = folder; name.Length > 0; name = name[..Math.Max(0, name.LastIndexOf('/'))])
        {
            var layer = Array.FindIndex(layers, layer => layer.Contains(name));
            if (layer >= 0)
            {
                return (name, layer);
            }
        }

        return null;
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
