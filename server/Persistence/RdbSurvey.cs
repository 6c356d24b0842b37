using Strata.Server.Rdb;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Persistence;

/// <summary>What is in an RDB file, read from its beginning to its end, or to where it cannot be loaded. What has
/// expired is looked at as the rest: a start may pass it over, but not where a journal follows.</summary>
internal sealed class RdbSurvey
{
    private RdbSurvey()
    {
    }

    /// <summary>Why it cannot be loaded; null if it can.</summary>
    public string? Problem { get; private set; }

    /// <summary>The version that it says it has.</summary>
    public int Version { get; private set; }

    /// <summary>Bytes of the file.</summary>
    public long FileBytes { get; private set; }

    /// <summary>Bytes up to the end of the RDB, or of what is whole of it.</summary>
    public long WholeBytes { get; private set; }

    /// <summary>Whole keys.</summary>
    public long Keys { get; private set; }

    /// <summary>Those of them with a time to live.</summary>
    public long Expiring { get; private set; }

    /// <summary>Those whose time has come.</summary>
    public long Expired { get; private set; }

    /// <summary>How many databases a server needs for them.</summary>
    public int Databases { get; private set; } = 1;

    /// <summary>Libraries of functions.</summary>
    public long Functions { get; private set; }

    /// <summary>Reads a file.</summary>
    public static RdbSurvey Of(string path)
    {
        var survey = new RdbSurvey();
        try
        {
            using var source = new FileSource(path);
            var budget = new MemoryBudget();
            using var reader = new RdbFileReader(source, budget, verifiesChecksum: true);
            using var trial = new LoadTrial(budget);
            survey.FileBytes = source.Length;
            var twins = new KeyTwins();
            survey.Read(reader, trial, twins);
            if (twins.HasSuspects(out var suspects))
            {
                using var again = new FileSource(path);
                using var second = new RdbFileReader(again, budget, verifiesChecksum: false);
                KeyTwins.Look(second, suspects);
            }
        }
        catch (Exception exception)
            when (exception is RdbException or IOException or MemoryExhaustedException or OutOfMemoryException)
        {
            survey.Problem = exception.Message;
        }

        return survey;
    }

    private void Read(RdbFileReader reader, LoadTrial trial, KeyTwins twins)
    {
        var nowMs = Platform.Machine.Clock.GetUtcNow().ToUnixTimeMilliseconds();
        RdbItem item;
        while ((item = reader.Next()) != RdbItem.End)
        {
            if (item == RdbItem.Function)
            {
                ReadFunction(reader, trial);
            }
            else if (item == RdbItem.Key)
            {
                ReadKey(reader, trial, twins, nowMs);
            }

            WholeBytes = reader.Offset;
        }

        Version = reader.Version;
        WholeBytes = reader.Offset;
    }

    private void ReadFunction(RdbFileReader reader, LoadTrial trial)
    {
        if (trial.LoadLibrary(reader.FunctionCode) is { } problem)
        {
            throw new RdbException($"a library of functions cannot be loaded ({problem})", reader.Offset);
        }

        Functions++;
    }

    private void ReadKey(RdbFileReader reader, LoadTrial trial, KeyTwins twins, long nowMs)
    {
        if (reader.Database >= Limits.MaxDatabases)
        {
            throw new RdbException(
                $"there are keys of database {reader.Database}, and no server has more than {Limits.MaxDatabases}",
                reader.Offset);
        }

        if (trial.Load(reader))
        {
            twins.Add(reader);
        }

        Keys++;
        Databases = Math.Max(Databases, reader.Database + 1);
        Expiring += reader.ExpiryMs >= 0 ? 1 : 0;
        Expired += reader.ExpiryMs >= 0 && reader.ExpiryMs < nowMs ? 1 : 0;
    }
}
