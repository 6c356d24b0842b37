using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Two servers never write to the same files, but may have a folder in common.</summary>
[Parallelizable(ParallelScope.All)]
internal sealed class SharedFolderTests
{
    private static readonly string[] s_saves = ["--save", "3600 1"];
    private static readonly string[] s_journals = ["--save", "", "--appendonly", "yes"];

    [Test]
    public void A_second_server_does_not_start_and_names_the_first([Values] bool hasJournal)
    {
        using var folder = new Folder();
        var flags = hasJournal ? s_journals : s_saves;
        using (var first = folder.Start(flags))
        {
            using var second = folder.Launch(flags);
            Assert.That(second.WaitForExit(), Is.EqualTo(3));
            Assert.That(second.Output, Does.Contain(hasJournal ? "appendonlydir' is in use" : "dump.rdb' is in use")
                .And.Contain($"by another server (process {first.Pid})"));
            using var third = folder.Start(
                [.. flags, "--dbfilename", "other.rdb", "--appenddirname", "other"]);
            first.Kill();
        }

        using var again = folder.Start(flags);
        using var connection = again.Connect();
        Assert.That(connection.Call("SET", "k", "v").Text, Is.EqualTo("OK"));
        again.StopGracefully();
        Assert.That(File.Exists(folder.File("dump.rdb.lock")), Is.False);
    }

    [Test]
    public void A_second_server_neither_saves_nor_begins_a_journal_there()
    {
        using var folder = new Folder();
        using var first = folder.Start([.. s_saves, "--appendonly", "yes"]);
        using var second = folder.Start("--save", "");
        using var connection = second.Connect();
        Assert.That(connection.Call("SAVE").IsError);
        Assert.That(connection.Call("CONFIG", "SET", "appendonly", "yes").Text, Does.Contain("Unable to turn on AOF"));
        Patience.Await(() => second.Output.Contains("dump.rdb' is in use", StringComparison.Ordinal)
            && second.Output.Contains("appendonlydir' is in use", StringComparison.Ordinal));
        first.Kill();
        Assert.That(connection.Call("CONFIG", "SET", "appendonly", "yes").Text, Is.EqualTo("OK"));
        AofRewrites.Await(connection);
        Assert.That(connection.Call("SAVE").Text, Is.EqualTo("OK"));
    }

    private sealed class Folder : IDisposable
    {
        private readonly string _path = Directory.CreateTempSubdirectory("strata-shared-").FullName;

        public string File(string name) => Path.Combine(_path, name);

        public ServerProcess Start(params string[] flags)
            => ServerProcess.Start(ServerKind.Strata, [StrataProcess.Program()], ["--dir", _path, .. flags]);

        public ServerProcess Launch(params string[] flags)
            => ServerProcess.Launch(ServerKind.Strata, [StrataProcess.Program()], ["--dir", _path, .. flags]);

        public void Dispose() => Directory.Delete(_path, recursive: true);
    }
}
