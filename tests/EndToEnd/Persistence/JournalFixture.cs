using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Servers that come and go on the files of one folder, which is there for one test.</summary>
/// <param name="workers">The workers of a Strata.</param>
internal abstract class JournalFixture(string workers)
{
    /// <summary>Where the servers keep their data.</summary>
    protected string Folder { get; private set; } = null!;

    /// <summary>Where that of the journal is.</summary>
    protected string Aof => Path.Combine(Folder, "appendonlydir");

    protected string Workers => workers;

    [SetUp]
    public void MakeFolder() => Folder = Directory.CreateTempSubdirectory("strata-journal-").FullName;

    [TearDown]
    public void RemoveFolder() => Directory.Delete(Folder, recursive: true);

    protected ServerProcess Start(params string[] flags)
        => StrataProcess.Start(["--dir", Folder, "--workers", workers, .. flags]);
}
