using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Persistence.Checkpoints;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Server.Hosting;

/// <summary>Whose data the files of the tier are: which journal begins with a checkpoint that names them. Looked at
/// before anything is hashed, and before the tier is opened.</summary>
internal static class TierOwner
{
    /// <summary>What is written into the folder of the tier: the journal's folder and the name of its files, a line
    /// each.</summary>
    public static string Write(ServerOptions options) => $"{options.AppendDirName}\n{options.AppendFileName}\n";

    /// <summary>Looks for the checkpoint that this start begins with.</summary>
    /// <returns>Null where there is none, and the files of the tier, if there are some, are nobody's data.</returns>
    /// <exception cref="StartupException">There is one that does not fit the configuration, or another one that would
    /// lose its data by this start.</exception>
    public static KeptTier? Find(ServerOptions options, Platform platform)
    {
        var files = FilesOf(options, options.AppendDirName, options.AppendFileName, platform);
        if (!options.StorageTier)
        {
            return !options.AppendOnly || CheckpointOf(files) is not { } whole ? null : throw Refused(
                ExitCode.Configuration,
                $"the journal begins with '{whole}', whose data is in the folder '{TierDirectory.FolderName}' of the "
                + "tier: set 'storage-tier yes'");
        }

        if (options.AppendOnly && CheckpointOf(files) is { } own)
        {
            RefuseToLoseAnothers(options, NoteBeside(options), isReplaced: true, platform);
            return KeptTier.Open(own, options);
        }

        RefuseToLoseAnothers(options, TierDirectory.KeptFor(options.Directory), isReplaced: false, platform);
        if (!options.AppendOnly && TryFindCheckpoint(files) is { } unused)
        {
            throw WouldLose(unused, options.AppendDirName, options.AppendFileName);
        }

        return null;
    }

    /// <summary>Whose data the files are said to be, where a journal is there whose they are, too: what is damaged it
    /// mends.</summary>
    private static string? NoteBeside(ServerOptions options)
    {
        try
        {
            var note = TierDirectory.KeptFor(options.Directory);
            return note == Write(options) ? null : note;
        }
        catch (DeviceException)
        {
            return null;
        }
    }

    /// <summary>Another journal's data is not removed, but where that has no need of it any more.</summary>
    /// <param name="options">The configuration.</param>
    /// <param name="note">Whose data it is said to be.</param>
    /// <param name="isReplaced">Whether there is a journal in its place, if it has gone.</param>
    /// <param name="platform">Where random numbers come from.</param>
    private static void RefuseToLoseAnothers(
        ServerOptions options, string? note, bool isReplaced, Platform platform)
    {
        if (note?.Split('\n') is not [var folder, var name, ..])
        {
            return;
        }

        var files = FilesOf(options, folder, name, platform);
        if (CheckpointOf(files) is { } other)
        {
            throw WouldLose(other, folder, name);
        }

        if (!files.HasManifest && !isReplaced)
        {
            throw Refused(
                ExitCode.Configuration,
                $"the files in the folder '{TierDirectory.FolderName}' are data of a journal, '{name}' in the folder "
                + $"'{Path.Combine(options.Directory, folder)}', which is not there, and this start would remove them: "
                + $"put it back, or move the folder '{TierDirectory.FolderName}' away to start without that data");
        }
    }

    private static JournalFiles FilesOf(ServerOptions options, string folder, string name, Platform platform)
        => new(
            new DiskFolder(options.Directory),
            new DiskFolder(Path.Combine(options.Directory, folder)),
            name,
            platform);

    private static string? CheckpointOf(JournalFiles files)
    {
        try
        {
            _ = files.Load(takesOver: false);
            if (files.Manifest.Base is not { } first)
            {
                return null;
            }

            files.Open(first.Name, out var file).ThrowIfError();
            using (file)
            {
                return JournalFileReader.IsCheckpoint(file!) ? file!.Path : null;
            }
        }
        catch (JournalException exception)
        {
            throw Refused(ExitCode.Data, exception.Message);
        }
    }

    /// <summary>The same of a journal that nobody has named: it may be anybody's, and in any state.</summary>
    private static string? TryFindCheckpoint(JournalFiles files)
    {
        try
        {
            return CheckpointOf(files);
        }
        catch (StartupException)
        {
            return null;
        }
    }

    private static StartupException WouldLose(string checkpoint, string folder, string name)
        => Refused(
            ExitCode.Configuration,
            $"the files in the folder '{TierDirectory.FolderName}' are data, which the journal's base '{checkpoint}' "
            + $"names, and this start would remove them: set 'appendonly yes', 'appenddirname {folder}' and "
            + $"'appendfilename {name}', or move both folders away to start without that data");

    private static StartupException Refused(ExitCode code, string problem) => new(code, $"Cannot start: {problem}");
}
