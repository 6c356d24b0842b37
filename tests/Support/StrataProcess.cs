using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>Finds and starts the server under test: the published one, else the build's.</summary>
public static class StrataProcess
{
    // Flags of a test come behind it, and add to it.
    private static readonly string[] s_noPersistence = ["--save", ""];

    /// <summary>The published program if there is one, else the Release build's.</summary>
    public static string Program()
    {
        string[] candidates =
        [
            RepositoryRoot.Combine("out", "strata-server"),
            RepositoryRoot.Combine("server", "bin", "Release", "net10.0", "strata-server"),
        ];
        var found = candidates.FirstOrDefault(File.Exists);
        if (found is null)
        {
            Assert.Fail($"The server isn't built: neither of {string.Join(", ", candidates)} exists. Run ./build.sh.");
        }

        return found!;
    }

    /// <summary>Starts a server on a free port of 127.0.0.1 and waits until it answers.</summary>
    public static ServerProcess Start(params string[] flags) =>
        ServerProcess.Start(ServerKind.Strata, [Program(), .. s_noPersistence], flags);
}
