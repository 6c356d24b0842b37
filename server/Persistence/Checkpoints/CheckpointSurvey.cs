using Strata.Server.Rdb;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>What a checkpoint holds, read without loading it.</summary>
internal sealed class CheckpointSurvey
{
    /// <summary>Why it cannot be loaded; null where it can, as far as the file itself tells.</summary>
    public string? Problem { get; private set; }

    /// <summary>Bytes of the file.</summary>
    public long FileBytes { get; private set; }

    /// <summary>Keys that it names places of the tier of.</summary>
    public long Entries { get; private set; }

    /// <summary>Pages that those lie in.</summary>
    public long Pages { get; private set; }

    /// <summary>Keys that it has whole.</summary>
    public long Keys { get; private set; }

    /// <summary>Reads a file.</summary>
    public static CheckpointSurvey Of(string path)
    {
        var survey = new CheckpointSurvey();
        try
        {
            using var source = new CheckpointSource(path, recovery: null);
            var budget = new MemoryBudget();
            using var reader = new RdbFileReader(source, budget, verifiesChecksum: true);
            using var trial = new LoadTrial(budget);
            survey.FileBytes = source.Length;
            while (source.TryAddEntries())
            {
                // They are only looked at.
            }

            survey.Read(reader, trial);
            source.Finish();
            survey.Entries = source.Entries;
            survey.Pages = source.Pages;
        }
        catch (Exception exception)
            when (exception is RdbException or IOException or MemoryExhaustedException or OutOfMemoryException)
        {
            survey.Problem = exception.Message;
        }

        return survey;
    }

    private void Read(RdbFileReader reader, LoadTrial trial)
    {
        RdbItem item;
        while ((item = reader.Next()) != RdbItem.End)
        {
            if (item == RdbItem.Function && trial.LoadLibrary(reader.FunctionCode) is { } problem)
            {
                throw new RdbException($"a library of functions cannot be loaded ({problem})", reader.Offset);
            }

            if (item == RdbItem.Key)
            {
                _ = trial.Load(reader);
                Keys++;
            }
        }
    }
}
