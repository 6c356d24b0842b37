using Strata.Server;
using Strata.Tests.EndToEnd.Persistence;
using Strata.Tests.Server.Options;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Persistence.Damage;

/// <summary>A folder as a killed server leaves it, the way to start on a copy of it, and what must be there then.
/// </summary>
internal sealed class KeptFolder : IDisposable
{
    private const string Mark = "MARK";
    private const int Shards = 2;

    private readonly TemporaryDirectory _folder = new();
    private readonly TemporaryDirectory _copies = new();
    private readonly KeptData _data = new();
    private readonly string[] _flags;
    private int _copy;

    private KeptFolder(string[] flags)
    {
        _flags = flags;
        Files = [];
    }

    /// <summary>The data files, by their paths within the folder.</summary>
    public IReadOnlyList<string> Files { get; private set; }

    /// <summary>A journal whose base is a checkpoint, and the tier that it names.</summary>
    public static KeptFolder OfTier() => WithJournal(["--storage-tier", "yes"]);

    /// <summary>A journal whose base is RDB.</summary>
    public static KeptFolder OfJournal() => WithJournal([]);

    /// <summary>An RDB file alone.</summary>
    public static KeptFolder OfRdb()
    {
        var made = new KeptFolder(["--workers", "2", "--shards", $"{Shards}"]);
        made.Make(connection =>
        {
            KeptData.Change(connection);
            KeptData.WriteTail(connection);
            _ = connection.Call("SAVE");
        });
        return made;
    }

    /// <summary>Makes a copy.</summary>
    /// <returns>Its path.</returns>
    public string Copy()
    {
        var copy = Path.Combine(_copies.Path, $"{_copy++}");
        CopyAll(_folder.Path, copy, static _ => true);
        return copy;
    }

    /// <summary>Starts a server on a copy.</summary>
    /// <param name="copy">Where it lies.</param>
    /// <param name="flags">What differs from how the data was made.</param>
    /// <param name="prepare">Done with it before it starts.</param>
    public RestartedServer Start(
        string copy, IReadOnlyList<string>? flags = null, Action<StrataServer>? prepare = null)
        => new(copy, [.. _flags, .. flags ?? []], prepare);

    /// <inheritdoc cref="KeptData.FirstWrong"/>
    public string? FirstWrong(RestartedServer server, out int errors, out bool isCut)
    {
        using var connection = server.Connect();
        return _data.FirstWrong(connection, out errors, out isCut);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _folder.Dispose();
        _copies.Dispose();
    }

    private static KeptFolder WithJournal(string[] flags)
    {
        var made = new KeptFolder(
        [
            "--workers", "2", "--shards", $"{Shards}", "--appendonly", "yes", "--appendfsync", "always",
            "--segment-size", "1mb", "--auto-aof-rewrite-percentage", "0", .. flags,
        ]);
        made.Make(connection =>
        {
            KeptData.FillMemory(connection);
            AofRewrites.Do(connection);
            KeptData.Change(connection);
            KeptData.WriteTail(connection);
        });
        return made;
    }

    private void Make(Action<RespConnection> goOn)
    {
        using var made = new TemporaryDirectory();
        using (var server = new RestartedServer(made.Path, _flags))
        {
            using var connection = server.Connect();
            KeptData.Fill(connection);
            if (_flags.Contains("--storage-tier"))
            {
                LeaveMemory(server, connection);
            }

            goOn(connection);
            _data.Note(connection);
            CopyAll(made.Path, _folder.Path, static file => !IsLocked(file));
        }

        CopyAll(made.Path, _folder.Path, static file => Path.GetFileName(file) == Mark);
        Files = [.. FilesOf(_folder.Path).Order(StringComparer.Ordinal)];
    }

    /// <summary>Has all that is there go to the device, but for what is written later.</summary>
    private static void LeaveMemory(RestartedServer server, RespConnection connection)
    {
        server.IsEager = true;
        Patience.Await(() =>
        {
            foreach (var number in Enumerable.Range(0, 8))
            {
                _ = connection.Call("SET", $"pushes:{number}", "it");
            }

            return server.ColdPages > 10 && server.HotPages <= 2 * Shards;
        });
        server.IsEager = false;
    }

    /// <summary>Whether a file cannot be read as long as the server lives.</summary>
    private static bool IsLocked(string file)
        => Path.GetFileName(file) == Mark || file.EndsWith(".lock", StringComparison.Ordinal);

    private static IEnumerable<string> FilesOf(string folder)
        => Directory.GetFiles(folder, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(folder, file));

    private static void CopyAll(string from, string to, Func<string, bool> isMeant)
    {
        foreach (var file in FilesOf(from).Where(isMeant))
        {
            var target = Path.Combine(to, file);
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(Path.Combine(from, file), target);
        }
    }
}
