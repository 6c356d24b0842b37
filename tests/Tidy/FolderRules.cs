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
            ["Resp"],
            ["Options"],
            ["Lifecycle"],

            // A knot: handlers, sessions and connections know the server and its workers, which know them.
            ["Clients", "Commands", "Diagnostics", "Execution", "Hosting", "Messaging", "Network", "Notifications"],
        ],
    };

    public static IEnumerable<Violation> UpwardKnowledge(SourceFile file)
    {
        if (!file.IsCSharp || file.Path.Split('/') is not [var project, var folder, _, ..]
            || !s_layers.TryGetValue(project, out var layers))
        {
            yield break;
        }

        var own = LayerOf(layers, folder);
        if (own < 0)
        {
            yield return new(file.Path, 1, $"{project}/{folder} has no place in FolderRules");
            yield break;
        }

        foreach (var used in file.Unit.DescendantNodes().OfType<QualifiedNameSyntax>())
        {
            if (RoomOf(used.ToString(), project) is { } room && room != folder && LayerOf(layers, room) > own)
            {
                yield return file.At(used, $"{project}/{folder} knows {project}/{room}, which stands above it");
            }
        }
    }

    private static int LayerOf(string[][] layers, string folder)
        => Array.FindIndex(layers, layer => layer.Contains(folder));

    /// <summary>The folder of a namespace of the project, or null for others.</summary>
    private static string? RoomOf(string name, string project)
    {
        var parts = name.Split('.');
        return parts.Length == 3 && parts[0] == "Strata"
            && parts[1].Equals(project, StringComparison.OrdinalIgnoreCase)
            ? parts[2]
            : null;
    }
}
