using System.Text;
using NUnit.Framework;
using Strata.Server.Lifecycle;
using Strata.Server.Rdb;
using Strata.Storage.Memory;
using Strata.Tests.Server.Options;
using Strata.Tests.Server.Persistence.Damage;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Persistence.Checkpoints;

/// <summary>Starts with data on the tier that something is the matter with, but no damage.</summary>
internal sealed class StartOnTierTests
{
    private KeptFolder _folder = null!;

    [OneTimeSetUp]
    public void MakeFolder() => _folder = KeptFolder.OfTier();

    [OneTimeTearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public void Keys_of_a_database_that_there_is_not_are_refused()
    {
        var refusal = Assert.Throws<StartupException>(
            () => _folder.Start(_folder.Copy(), ["--databases", "9"]).Dispose())!;
        Assert.That(refusal.Message, Does.Contain("and the server only 9 databases: raise 'databases'"));
    }

    /// <summary>What must be in memory takes more than there is: nothing that could be waited for makes room.</summary>
    [Test]
    public void Data_whose_index_alone_is_over_the_limit_is_loaded()
    {
        using var server = _folder.Start(
            _folder.Copy(),
            ["--maxmemory", "100kb"],
            static server => server.Context.LeastMemory.IsDemanded = false);
        Assert.That(server.Log.Texts, Has.Some.Contain("raise 'maxmemory'"));
        using (var connection = server.Connect())
        {
            Assert.That(connection.Call("CONFIG", "SET", "maxmemory", "100mb").Text, Is.EqualTo("OK"));
        }

        Assert.That(_folder.FirstWrong(server, out var errors, out var isCut), Is.Null);
        Assert.That((errors, isCut), Is.EqualTo((0, false)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public void A_key_that_is_there_twice_is_found_where_the_first_has_left_memory(bool isTwice)
    {
        using var folder = new TemporaryDirectory();
        var rdb = Rdb(["first", .. Others(), isTwice ? "first" : "last"]);
        File.WriteAllBytes(Path.Combine(folder.Path, "dump.rdb"), rdb);

        RestartedServer Start() => new(
            folder.Path,
            ["--storage-tier", "yes", "--workers", "1", "--shards", "1", "--segment-size", "1mb"],
            static server => server.Context.Shards.Tier!.IsEager = true);

        if (isTwice)
        {
            var refusal = Assert.Throws<StartupException>(() => Start().Dispose())!;
            Assert.That(refusal.Message, Does.Contain("a key is there twice"));
            return;
        }

        using var server = Start();
        Assert.That(() => server.ColdPages, Is.Positive.After(Patience.Ms, 10));
        using var connection = server.Connect();
        Assert.That(connection.Call("DBSIZE").Integer, Is.EqualTo(Others().Count() + 2));
    }

    private static IEnumerable<string> Others() => Enumerable.Range(0, 2000).Select(static i => $"other:{i}");

    private static byte[] Rdb(IReadOnlyList<string> keys)
    {
        const int ValueBytes = 2000;
        var sink = new Sink();
        using var writer = new RdbFileWriter(sink, new MemoryBudget(), withChecksum: true);
        writer.Begin(RdbFormat.OrdinaryVersion);
        writer.SelectDatabase(0, keys.Count, 0);
        foreach (var key in keys)
        {
            writer.Append(
            [
                0, (byte)key.Length, .. Encoding.ASCII.GetBytes(key), 0x40 | (ValueBytes >> 8), ValueBytes & 0xFF,
                .. new byte[ValueBytes],
            ]);
        }

        _ = writer.End(RdbFormat.OrdinaryVersion);
        return [.. sink.Bytes];
    }

    private sealed class Sink : IRdbSink
    {
        public List<byte> Bytes { get; } = [];

        public void Write(ReadOnlySpan<byte> bytes) => Bytes.AddRange(bytes);
    }
}
