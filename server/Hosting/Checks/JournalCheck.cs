using System.Text;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Persistence;
using Strata.Server.Persistence.Checkpoints;
using Strata.Storage.Memory;

namespace Strata.Server.Hosting.Checks;

/// <summary>
/// The program's flag <c>--check-aof</c>: whether the files of a journal can be loaded, in the manner of
/// redis-check-aof, and with their checksums, where they have some. With <c>--fix</c> the last file is cut where it is
/// not right any more, once the user has agreed.
/// </summary>
internal sealed class JournalCheck
{
    private const string ManifestEnd = ".manifest";

    private readonly bool _fixes;
    private readonly TextReader _input;
    private readonly TextWriter _output;
    private readonly JournalFileReader _reader;

    // A file that ends torn, and that another follows, which was begun before the disk had all of it.
    private string? _tornBefore;
    private bool _isDamaged;

    private JournalCheck(bool fixes, TextReader input, TextWriter output, JournalFileReader reader)
    {
        _fixes = fixes;
        _input = input;
        _output = output;
        _reader = reader;
    }

    /// <summary>What became of one file.</summary>
    private enum Outcome
    {
        Valid,
        Empty,
        Torn,
        Truncated,
        Bad,
    }

    /// <summary>Checks, and prints what was found.</summary>
    /// <param name="path">A manifest, the folder with one, or one file.</param>
    /// <param name="fixes">Whether to cut the last file where it is not right any more.</param>
    /// <param name="input">Where the user agrees.</param>
    /// <param name="output">Where to print.</param>
    /// <returns><see cref="ExitCode.Ok"/> where all can be loaded.</returns>
    public static ExitCode Run(string path, bool fixes, TextReader input, TextWriter output)
    {
        using var reader = new JournalFileReader(new MemoryBudget());
        try
        {
            return new JournalCheck(fixes, input, output, reader).Check(path) ? ExitCode.Ok : ExitCode.Damaged;
        }
        catch (JournalException error)
        {
            output.Write($"{error.Message}\n");
            return ExitCode.Damaged;
        }
        catch (Exception error) when (FileError.Is(error))
        {
            output.Write($"Cannot read '{path}': {FileError.Reason(error)}\n");
            return ExitCode.Damaged;
        }
    }

    private bool Check(string path)
    {
        if (Directory.Exists(path))
        {
            var manifests = Directory.GetFiles(path, "*" + ManifestEnd);
            if (manifests.Length != 1)
            {
                _output.Write(manifests.Length == 0
                    ? $"The folder '{path}' holds no manifest: name a file in it\n"
                    : $"The folder '{path}' holds {manifests.Length} manifests: name one of them\n");
                return false;
            }

            path = manifests[0];
        }

        var folder = new DiskFolder(Path.GetDirectoryName(path) is { Length: > 0 } parent ? parent : ".");
        var name = Path.GetFileName(path);
        folder.Open(name, FileUse.Read, out var file).ThrowIfError();
        using (file)
        {
            if (IsManifest(name, file!))
            {
                return CheckAll(folder, ManifestText.Read(Content(file!), file!.Path));
            }
        }

        _output.Write("Start checking Old-Style AOF\n");
        return Report($"AOF {path}", CheckFile(folder, name, follower: null, isBase: false, -1));
    }

    private bool CheckAll(DiskFolder folder, Manifest manifest)
    {
        _output.Write("Start checking Multi Part AOF\n");
        var expected = -1L;
        if (manifest.Base is { } first
            && !Report(
                $"BASE AOF {first.Name}",
                CheckFile(folder, first.Name, Follower(manifest, 0), isBase: true, expected)))
        {
            return false;
        }

        if (manifest.Increments.Count > 0)
        {
            _output.Write("Start to check INCR files.\n");
        }

        for (var i = 0; i < manifest.Increments.Count; i++)
        {
            var part = manifest.Increments[i];
            var outcome = CheckFile(folder, part.Name, Follower(manifest, i + 1), isBase: false, expected);
            if (!Report($"INCR AOF {part.Name}", outcome))
            {
                return false;
            }

            expected = _reader.End.Offset;
        }

        _output.Write("All AOF files and manifest are valid\n");
        return true;
    }

    private static ManifestPart? Follower(Manifest manifest, int increment)
        => increment < manifest.Increments.Count ? manifest.Increments[increment] : null;

    private static bool IsBegunAhead(DiskFolder folder, ManifestPart part)
    {
        folder.Open(part.Name, FileUse.Read, out var file).ThrowIfError();
        using (file)
        {
            return JournalFileReader.IsBegunAhead(file!);
        }
    }

    private bool Report(string what, Outcome outcome)
    {
        _output.Write(outcome switch
        {
            Outcome.Valid => $"{what} is valid\n",
            Outcome.Empty => $"{what} is empty\n",
            Outcome.Torn => $"{what} was not written to its end, which the server cuts when it starts\n",
            Outcome.Truncated => $"Successfully truncated {what}\n",
            _ => "",
        });
        return outcome != Outcome.Bad;
    }

    private Outcome CheckFile(
        DiskFolder folder, string name, ManifestPart? follower, bool isBase, long expectedOffset)
    {
        folder.Open(name, FileUse.Read, out var file).ThrowIfError();
        using (file)
        {
            file!.GetLength(out var size).ThrowIfError();
            var isRdb = JournalFileReader.IsRdb(file);
            var isCheckpoint = JournalFileReader.IsCheckpoint(file);
            if (isBase)
            {
                var format = isCheckpoint ? "checkpoint" : isRdb ? "RDB" : "RESP";
                _output.Write($"Start to check BASE AOF ({format} format).\n");
            }

            if (isCheckpoint)
            {
                return CheckCheckpoint(file.Path) ? Outcome.Valid : Outcome.Bad;
            }

            var rdbBytes = 0L;
            if (isRdb && !TryReadRdb(file.Path, out rdbBytes))
            {
                return Outcome.Bad; // Nothing of it can be loaded: there is nowhere to cut it.
            }

            if (isRdb && rdbBytes == size)
            {
                return Outcome.Valid;
            }

            var mayEndTorn = follower == null || (!isBase && IsBegunAhead(folder, follower));
            var wholeBytes = ReadAll(file, new(mayEndTorn, isBase, LoadsTruncated: true, rdbBytes, expectedOffset));
            _output.Write($"AOF analyzed: filename={name}, size={size}, ok_up_to={wholeBytes}, "
                + $"diff={size - wholeBytes}, checksums={(_reader.HasChecksums ? "yes" : "no")}\n");
            if (wholeBytes < size && follower != null && !_isDamaged)
            {
                _tornBefore = name;
                return Outcome.Torn;
            }

            return wholeBytes < size ? Fix(folder, name, follower == null, isBase, size, wholeBytes)
                : size == 0 ? Outcome.Empty : Outcome.Valid;
        }
    }

    private bool CheckCheckpoint(string path)
    {
        var found = CheckpointSurvey.Of(path);
        _output.Write(found.Problem == null
            ? $"The checkpoint is whole: {found.FileBytes} bytes, {found.Entries} keys in {found.Pages} pages of the "
                + $"tier, {found.Keys} other keys\n"
            : $"The checkpoint cannot be loaded: {found.Problem}. Restore the file from a backup\n");
        return found.Problem == null;
    }

    /// <summary>Reads the RDB that a file begins with.</summary>
    /// <param name="path">The file.</param>
    /// <param name="bytes">How long it is.</param>
    /// <returns>Whether all of it is right.</returns>
    private bool TryReadRdb(string path, out long bytes)
    {
        _output.Write($"Checking RDB file {path}\n");
        var found = RdbSurvey.Of(path);
        bytes = found.WholeBytes;
        _output.Write(found.Problem == null
            ? $"The RDB is whole: {bytes} bytes, {found.Keys} keys; "
                + $"{found.FileBytes - bytes} bytes of commands follow\n"
            : $"The RDB cannot be loaded: {found.Problem}. Up to byte {bytes} there are {found.Keys} whole keys. "
                + "Restore the file from a backup\n");
        return found.Problem == null;
    }

    /// <summary>Reads a file to its end, or to where it is not right any more.</summary>
    /// <returns>Where that is.</returns>
    private long ReadAll(IJournalFile file, in JournalReadOptions options)
    {
        _isDamaged = false;
        try
        {
            _reader.Begin(file, options);
            while (_reader.TryRead(out _))
            {
            }

            return _reader.End.SizeBytes + _reader.End.FillerBytes;
        }
        catch (JournalException error) when (error.Offset >= 0)
        {
            _output.Write($"{error.Message}\n");
            _isDamaged = true;
            return error.Offset;
        }
    }

    private Outcome Fix(DiskFolder folder, string name, bool isLast, bool isBase, long size, long wholeBytes)
    {
        if (!_fixes)
        {
            _output.Write($"AOF {name} is not valid. Use the --fix option to try fixing it.\n");
            return Outcome.Bad;
        }

        var notLast = !isLast ? name : _isDamaged ? _tornBefore : null;
        if (notLast != null || (isBase && _reader.HasChecksums))
        {
            _output.Write(notLast == null
                ? $"Failed to truncate AOF {name} because a base is whole or of no use: restore it from a backup\n"
                : $"Failed to truncate AOF {notLast} because it is not the last file\n");
            return Outcome.Bad;
        }

        _output.Write($"This will shrink the AOF {name} from {size} bytes, with {size - wholeBytes} bytes, to "
            + $"{wholeBytes} bytes\nContinue? [y/N]: ");
        _output.Flush();
        if (_input.ReadLine() is not ['y' or 'Y', ..])
        {
            _output.Write("Aborting...\n");
            return Outcome.Bad;
        }

        folder.Open(name, FileUse.Change, out var file).ThrowIfError();
        using (file)
        {
            file!.Truncate(wholeBytes).ThrowIfError();
            file.Sync().ThrowIfError();
        }

        return Outcome.Truncated;
    }

    private static bool IsManifest(string name, IJournalFile file)
    {
        if (name.EndsWith(ManifestEnd, StringComparison.Ordinal))
        {
            return true;
        }

        var start = Encoding.Latin1.GetString(Content(file));
        return start.Split('\n').SkipWhile(line => line.StartsWith('#'))
            .Take(1).Any(line => line.StartsWith("file ", StringComparison.Ordinal));
    }

    /// <summary>What a manifest holds; of a larger file the beginning.</summary>
    private static unsafe byte[] Content(IJournalFile file)
    {
        const int MaxBytes = 1 << 20;
        var content = new byte[MaxBytes];
        fixed (byte* target = content)
        {
            file.Read(0, target, MaxBytes, out var read).ThrowIfError();
            return content[..read];
        }
    }
}
