using Strata.Server.Rdb;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Persistence;

/// <summary>What is in an RDB file, read from its beginning to its end, or to where it cannot be loaded.</summary>
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

    /// <summary>Libraries of functions.</summary>
    public long Functions { get; private set; }

    /// <summary>Reads a file.</summary>
    public static RdbSurvey Of(string path)
    {
        var survey = new RdbSurvey();
        try
        {
            using var source = new FileSource(path);
            using var reader = new RdbFileReader(source, new MemoryBudget(), verifiesChecksum: true);
            survey.FileBytes = source.Length;
            survey.Read(reader);
        }
        catch (Exception exception) when (exception is RdbException or IOException or MemoryExhaustedException)
        {
            survey.Problem = exception.Message;
        }

        return survey;
    }

    private void Read(RdbFileReader reader)
    {
        var nowMs = Platform.Machine.Clock.GetUtcNow().ToUnixTimeMilliseconds();
        RdbItem item;
        while ((item = reader.Next()) != RdbItem.End)
        {
            Functions += item == RdbItem.Function ? 1 : 0;
            if (item == RdbItem.Key)
            {
                Keys++;
                Expiring += reader.ExpiryMs >= 0 ? 1 : 0;
                Expired += reader.ExpiryMs >= 0 && reader.ExpiryMs < nowMs ? 1 : 0;
                reader.SkipValue();
            }

            WholeBytes = reader.Offset;
        }

        Version = reader.Version;
        WholeBytes = reader.Offset;
    }
}
