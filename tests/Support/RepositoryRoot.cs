namespace Strata.Tests.Support;

/// <summary>Finds the repository from wherever the tests' assembly runs.</summary>
public static class RepositoryRoot
{
    public static string Path { get; } = Find();

    public static string Combine(params string[] parts) => System.IO.Path.Combine([Path, .. parts]);

    private static string Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "Server.slnx")))
            {
                return folder.FullName;
            }
        }

        throw new DirectoryNotFoundException($"No Server.slnx in any folder above {AppContext.BaseDirectory}.");
    }
}
