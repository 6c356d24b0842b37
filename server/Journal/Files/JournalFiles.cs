using System.Globalization;
using Strata.Storage;
using Strata.Storage.Runtime;

namespace Strata.Server.Journal.Files;

/// <summary>
/// The folder of the journal as Redis 7 lays it out: a manifest that lists the base and the increments that follow it.
/// A change of the manifest is a new one, written beside it, synced, and put in its place; whatever it lists is on the
/// disk before, and what it does not list any more is deleted after. So a loss of power at any moment leaves the files
/// of before or those of after. One owner at a time: where there may be others, who has locked it.
/// </summary>
internal sealed unsafe class JournalFiles
{
    private const string TemporaryPrefix = "temp-";

    private readonly IJournalFolder _directory;
    private readonly IJournalFolder _folder;
    private readonly string _name;
    private readonly Platform _platform;
    private readonly ManifestFile _manifest;
    private readonly List<ManifestPart> _unlisted = [];
    private JournalBaseKind _baseKind;

    /// <summary>The journal in a folder; nothing is looked at yet.</summary>
    /// <param name="directory">The server's folder (<c>dir</c>), in which Redis before 7 had its file.</param>
    /// <param name="folder">The journal's (<c>appenddirname</c>).</param>
    /// <param name="name">What the names of its files begin with (<c>appendfilename</c>).</param>
    /// <param name="platform">Where random numbers come from.</param>
    public JournalFiles(IJournalFolder directory, IJournalFolder folder, string name, Platform platform)
    {
        _directory = directory;
        _folder = folder;
        _name = name;
        _manifest = new ManifestFile(folder, name + ".manifest");
        _platform = platform;
    }

    /// <summary>What is listed.</summary>
    public Manifest Manifest => _manifest.Current;

    /// <summary>Whether there is anything to load.</summary>
    public bool Exists => !Manifest.IsEmpty;

    /// <summary>Whether a journal was begun here at all.</summary>
    public bool HasManifest => _manifest.Exists;

    /// <inheritdoc cref="ManifestFile.IsInDoubt"/>
    public bool IsInDoubt => _manifest.IsInDoubt;

    /// <summary>The name of a file that may be made beside these to see whether one can be.</summary>
    public string ProbeName => $"{TemporaryPrefix}{_name}.probe";

    private string TemporaryBase => $"{TemporaryPrefix}{_name}.base";

    /// <summary>Reads the manifest, and takes over the file of a Redis before 7, as Redis does.</summary>
    /// <param name="takesOver">Whether it does: not where the files are only to be written anew.</param>
    /// <returns>Whether a file was taken over.</returns>
    /// <exception cref="JournalException">The files are not as they must be; nothing was changed.</exception>
    public bool Load(bool takesOver = true)
    {
        _manifest.Read();
        var isUpgrade = takesOver && _directory.Holds(_name) && (Manifest.IsEmpty || IsHalfUpgraded());
        if (isUpgrade)
        {
            Upgrade();
        }

        CheckThatNothingIsMissing();
        return isUpgrade;
    }

    /// <summary>Deletes what a crash has left behind: temporary files, history, and files of ours that are not listed.
    /// When all that is listed was loaded.</summary>
    /// <returns>An error means that some are still there; nothing depends on it.</returns>
    public JournalError CleanUp()
    {
        var names = new List<string>();
        var error = _folder.Exists() ? _folder.List(names) : default;
        foreach (var name in names)
        {
            if (IsLeftOver(name))
            {
                var failure = _folder.Delete(name);
                error = failure.IsError ? failure : error;
            }
        }

        var history = DeleteHistory();
        return history.IsError ? history : error;
    }

    /// <summary>Opens a listed file, to be read and cut.</summary>
    public JournalError Open(string name, out IJournalFile? file) => _folder.Open(name, FileUse.Change, out file);

    /// <summary>Tells how many bytes there are to load.</summary>
    /// <param name="totalBytes">Of all files.</param>
    /// <param name="baseBytes">Of the base alone.</param>
    public JournalError Measure(out long totalBytes, out long baseBytes)
    {
        totalBytes = 0;
        baseBytes = 0;
        foreach (var part in Manifest.Live)
        {
            var error = _folder.Open(part.Name, FileUse.Read, out var file);
            if (error.IsError)
            {
                return error;
            }

            error = file!.GetLength(out var bytes);
            file.Dispose();
            if (error.IsError)
            {
                return error;
            }

            totalBytes += bytes;
            baseBytes = part.Kind == ManifestPartKind.Base ? bytes : baseBytes;
        }

        return default;
    }

    /// <summary>Begins a new increment, which is listed from now on; nobody appends to the one before.</summary>
    /// <param name="offset">The journal's offset at the beginning.</param>
    /// <param name="writer">Who appends to it; null with an error, after which all is as before.</param>
    public JournalError BeginIncrement(long offset, out JournalFileWriter? writer)
    {
        Invariant.Check(_unlisted.Count == 0, "an increment that is listed follows none that is not");
        var error = MakeIncrement(offset, out writer, out var part);
        if (error.IsError)
        {
            return error;
        }

        error = _manifest.Replace(Manifest.WithIncrement(part!));
        if (error.IsError)
        {
            Discard(ref writer, part!.Name);
        }

        return error;
    }

    /// <summary>Makes an increment ahead, and all that it takes to list it, on the disk.</summary>
    /// <param name="next">The increment; null with an error, after which all is as before.</param>
    public JournalError PrepareIncrement(out NextIncrement? next)
    {
        Invariant.Check(_unlisted.Count == 0, "an increment that is listed follows none that is not");
        next = null;
        var error = MakeIncrement(JournalHeader.Follows, out var writer, out var part);
        if (error.IsError)
        {
            return error;
        }

        var after = Manifest.WithIncrement(part!);
        error = _manifest.Prepare(after);
        if (error.IsError)
        {
            Discard(ref writer, part!.Name);
            return error;
        }

        next = new NextIncrement(writer!, part!, Manifest, after);
        return default;
    }

    /// <summary>Whether an increment that was made ahead can still follow.</summary>
    public bool IsNext(NextIncrement next) => next.Before == Manifest;

    /// <summary>Lists an increment that was made ahead, without a wait for the disk: who goes on in it may acknowledge
    /// nothing before <see cref="EndSwitch"/> has succeeded.</summary>
    /// <param name="next">The increment. Where there is none, or it follows what is not listed any more, it is made
    /// now.</param>
    /// <returns>With an error it is not listed.</returns>
    public JournalError Switch(ref NextIncrement? next)
    {
        if (next != null && !IsNext(next))
        {
            Drop(next);
            next = null;
        }

        var error = next == null ? PrepareIncrement(out next) : default;
        return error.IsError ? error : _manifest.Switch(next!.After);
    }

    /// <summary>Has that be on the disk.</summary>
    public JournalError EndSwitch() => _manifest.EndSwitch();

    /// <summary>Gives up an increment that was made ahead.</summary>
    public void Drop(NextIncrement next)
    {
        next.Writer.Dispose();
        _manifest.DropPrepared();
        if (IsNext(next))
        {
            _ = _folder.Delete(next.Part.Name);
        }
    }

    /// <summary>Begins a new increment that is listed only when <see cref="EndRewrite(IJournalFile, long)"/> names it:
    /// what it follows is a base that is not there yet.</summary>
    /// <param name="offset">The journal's offset at the beginning.</param>
    /// <param name="unused">One that was made ahead, and is given up; or null.</param>
    /// <param name="writer">Who appends to it; null with an error, after which all is as before.</param>
    public JournalError CreateIncrement(long offset, NextIncrement? unused, out JournalFileWriter? writer)
    {
        if (unused != null)
        {
            Drop(unused);
        }

        var error = MakeIncrement(offset, out writer, out var part);
        if (!error.IsError)
        {
            _unlisted.Add(part!);
        }

        return error;
    }

    /// <summary>Gives up increments that are not listed; their writers were disposed of.</summary>
    /// <param name="before">Those with a smaller number.</param>
    public void DropIncrements(long before = long.MaxValue)
    {
        foreach (var part in _unlisted)
        {
            if (!IsInDoubt && part.Sequence < before)
            {
                _ = _folder.Delete(part.Name); // What is left is found at the next start.
            }
        }

        _unlisted.RemoveAll(part => part.Sequence < before);
    }

    /// <summary>Goes on in the last increment.</summary>
    /// <param name="end">How it ends, as the reader has found.</param>
    /// <param name="writer">Who appends to it; null with an error.</param>
    public JournalError Resume(in JournalEnd end, out JournalFileWriter? writer)
    {
        writer = null;
        var part = Manifest.Increments[^1];
        var error = _folder.Open(part.Name, FileUse.Change, out var file);
        if (error.IsError)
        {
            return error;
        }

        // A crash may have come between the change of a name and its sync.
        error = _folder.Sync();
        error = error.IsError ? error : JournalFileWriter.Resume(file!, part.Sequence, end, out writer);
        if (error.IsError)
        {
            file!.Dispose();
        }

        return error;
    }

    /// <summary>Makes the file that is to become the next base.</summary>
    /// <param name="kind">As what it is written.</param>
    /// <param name="file">The file; null with an error.</param>
    public JournalError CreateBase(JournalBaseKind kind, out IJournalFile? file)
    {
        file = null;
        var error = Make();
        _baseKind = kind;
        return error.IsError ? error : _folder.Open(TemporaryBase, FileUse.Create, out file);
    }

    /// <summary>Who writes commands to the file that is to become the next base; with an error it is to be dropped.
    /// </summary>
    public JournalError BeginBase(IJournalFile file, out JournalFileWriter? writer)
        => JournalFileWriter.Begin(file, Manifest.BaseSequence + 1, new JournalHeader(NewSalt(), 0), out writer);

    /// <summary>Gives up the file that was to become the next base.</summary>
    public void DropBase(IJournalFile file)
    {
        file.Dispose();
        _ = _folder.Delete(TemporaryBase); // What is left is overwritten by the next, or found at the next start.
    }

    /// <summary>Has the file that was written become the base, in the place of all that is before the increments that
    /// follow it, which is history then. The disk has what was written to these by now. The file is closed, whatever
    /// becomes of it.</summary>
    /// <param name="file">The file of <see cref="CreateBase"/>, whole.</param>
    /// <param name="firstIncrement">The number of the first increment that follows it, listed or not.</param>
    /// <returns>With an error all is as before, and the file is gone.</returns>
    public JournalError EndRewrite(IJournalFile file, long firstIncrement)
    {
        var error = file.Sync();
        file.Dispose();
        return TakeOverBase(error, firstIncrement);
    }

    /// <summary>The same with a file of commands, whose writer was closed.</summary>
    /// <inheritdoc cref="EndRewrite(IJournalFile, long)"/>
    public JournalError EndRewrite(long firstIncrement) => TakeOverBase(default, firstIncrement);

    /// <summary>Puts an end to the doubt that a failed sync of the folder has left.</summary>
    public JournalError Settle() => _manifest.Settle();

    private JournalError TakeOverBase(JournalError error, long firstIncrement)
    {
        var sequence = Manifest.BaseSequence + 1;
        var suffix = _baseKind switch
        {
            JournalBaseKind.Rdb => "rdb",
            JournalBaseKind.Commands => "aof",
            _ => "checkpoint",
        };
        var name = string.Create(CultureInfo.InvariantCulture, $"{_name}.{sequence}.base.{suffix}");
        error = error.IsError ? error : Settle();
        error = error.IsError ? error : _folder.Rename(TemporaryBase, name);
        if (error.IsError)
        {
            _ = _folder.Delete(TemporaryBase);
            return error;
        }

        error = _folder.Sync();
        if (!error.IsError)
        {
            var listed = _unlisted.FindAll(part => part.Sequence >= firstIncrement);
            error = _manifest.Replace(Manifest.Rewritten(
                new ManifestPart(name, sequence, ManifestPartKind.Base), firstIncrement, listed));
        }

        if (error.IsError)
        {
            if (!IsInDoubt)
            {
                _ = _folder.Delete(name);
            }

            return error;
        }

        _unlisted.RemoveAll(part => part.Sequence >= firstIncrement);
        DropIncrements();
        return default;
    }

    /// <summary>Deletes what the base has taken the place of, which may take long.</summary>
    /// <returns>An error means that it stays listed as such: the next time, or the next start, it is tried again.
    /// </returns>
    public JournalError DeleteHistory()
    {
        if (IsInDoubt || Manifest.History.Count == 0)
        {
            return default;
        }

        foreach (var part in Manifest.History)
        {
            var error = _folder.Delete(part.Name);
            if (error.IsError)
            {
                return error;
            }
        }

        return _manifest.Replace(Manifest.WithoutHistory());
    }

    private JournalError MakeIncrement(long offset, out JournalFileWriter? writer, out ManifestPart? part)
    {
        writer = null;
        part = null;
        var error = Settle();
        error = error.IsError ? error : Make();
        if (error.IsError)
        {
            return error;
        }

        var sequence = Math.Max(Manifest.IncrementSequence, _unlisted.Count > 0 ? _unlisted[^1].Sequence : 0) + 1;
        part = new ManifestPart(
            string.Create(CultureInfo.InvariantCulture, $"{_name}.{sequence}.incr.aof"),
            sequence,
            ManifestPartKind.Increment);
        error = _folder.Open(part.Name, FileUse.Create, out var file);
        if (error.IsError)
        {
            return error;
        }

        error = JournalFileWriter.Begin(file!, sequence, new JournalHeader(NewSalt(), offset), out writer);
        error = error.IsError ? error : _folder.Sync();
        if (error.IsError)
        {
            file!.Dispose();
            Discard(ref writer, part.Name);
        }

        return error;
    }

    private void Discard(ref JournalFileWriter? writer, string name)
    {
        writer?.Dispose();
        writer = null;
        if (!IsInDoubt)
        {
            _ = _folder.Delete(name); // What is left is overwritten by the next, or found at the next start.
        }
    }

    /// <summary>Makes the folder, with a manifest that lists nothing: files beside no manifest are taken for some that
    /// have lost theirs.</summary>
    public JournalError Make()
    {
        var error = _folder.Make();
        return error.IsError || _manifest.Exists ? error : _manifest.Replace(Manifest);
    }

    private bool IsHalfUpgraded()
        => Manifest is { Base: { } file, Increments.Count: 0 } && file.Name == _name && !_folder.Holds(_name);

    private void Upgrade()
    {
        _folder.Make().ThrowIfError();
        var old = new ManifestPart(_name, 1, ManifestPartKind.Base);
        _manifest.Replace(new Manifest(old, Manifest.History, [])).ThrowIfError();
        _directory.Move(_name, _folder).ThrowIfError();
        _folder.Sync().ThrowIfError();
        _directory.Sync().ThrowIfError();
    }

    private void CheckThatNothingIsMissing()
    {
        foreach (var part in Manifest.Live)
        {
            if (!_folder.Holds(part.Name))
            {
                var path = Path.Combine(_folder.Path, part.Name);
                throw new JournalException(
                    $"The AOF file '{path}' is listed in the manifest and does not exist: restore it from a backup",
                    path, -1);
            }
        }

        if (!Manifest.IsEmpty || !_folder.Exists() || _manifest.Exists)
        {
            return;
        }

        var names = new List<string>();
        _folder.List(names).ThrowIfError();
        if (names.Find(IsOurs) is { } found)
        {
            throw new JournalException(
                $"The folder '{_folder.Path}' holds AOF files, as '{found}', and no manifest '{_manifest.Name}' that "
                + "says what they are: restore it from a backup, or move them away to begin without data",
                Path.Combine(_folder.Path, _manifest.Name), -1);
        }
    }

    private bool IsLeftOver(string name)
        => (name.StartsWith($"{TemporaryPrefix}{_name}.", StringComparison.Ordinal) || IsOurs(name)) && !IsListed(name);

    private bool IsListed(string name)
    {
        foreach (var part in Manifest.All)
        {
            if (part.Name == name)
            {
                return true;
            }
        }

        return _unlisted.Exists(part => part.Name == name);
    }

    private bool IsOurs(string name)
    {
        if (!name.StartsWith(_name + ".", StringComparison.Ordinal))
        {
            return false;
        }

        var rest = name.AsSpan(_name.Length + 1);
        var digits = rest.IndexOfAnyExceptInRange('0', '9');
        return digits > 0 && rest[digits..] is ".base.rdb" or ".base.aof" or ".base.checkpoint" or ".incr.aof";
    }

    private ulong NewSalt()
    {
        var salt = 0UL;
        _platform.FillSecret(new Span<byte>(&salt, sizeof(ulong)));
        return salt;
    }
}
