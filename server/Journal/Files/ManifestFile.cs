namespace Strata.Server.Journal.Files;

/// <summary>
/// The manifest in the journal's folder. A change is a new one, written beside it, synced, and put in its place. One
/// owner at a time, as of all the files.
/// </summary>
/// <param name="folder">The folder.</param>
/// <param name="name">The manifest's name.</param>
internal sealed unsafe class ManifestFile(IJournalFolder folder, string name)
{
    private const long MaxBytes = 16 << 20;

    private readonly string _temporary = $"temp-{name}";
    private readonly string _prepared = $"temp-{name}.next";

    /// <summary>Its name in the folder.</summary>
    public string Name => name;

    /// <summary>What it says.</summary>
    public Manifest Current { get; private set; } = Manifest.Empty;

    /// <summary>Whether nobody knows which of two manifests would be found after a loss of power: what is written may
    /// not be acknowledged before <see cref="Settle"/> or <see cref="EndSwitch"/> has succeeded.</summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>Whether there is one.</summary>
    public bool Exists => folder.Holds(name);

    /// <summary>Reads it; where there is none, or no folder, it lists nothing.</summary>
    /// <exception cref="JournalException">It cannot be read, or is not right.</exception>
    public void Read() => Current = folder.Exists() ? Parse() : Manifest.Empty;

    /// <summary>Puts another one in its place.</summary>
    /// <returns>With an error it is as before, or in doubt.</returns>
    public JournalError Replace(Manifest manifest)
    {
        var error = Write(_temporary, manifest);
        return error.IsError ? error : PutInPlace(_temporary, manifest, syncs: true);
    }

    /// <summary>Writes one that is to be put in its place later, and has it be on the disk. One at a time.</summary>
    public JournalError Prepare(Manifest manifest) => Write(_prepared, manifest);

    /// <summary>Puts that in its place, without a wait for the disk: it is in doubt then.</summary>
    /// <param name="manifest">What it says.</param>
    public JournalError Switch(Manifest manifest) => PutInPlace(_prepared, manifest, syncs: false);

    /// <summary>Has what was put in its place be on the disk.</summary>
    public JournalError EndSwitch()
    {
        var error = IsInDoubt ? folder.Sync() : default;
        IsInDoubt &= error.IsError;
        return error;
    }

    /// <summary>Gives up what was prepared.</summary>
    public void DropPrepared() => _ = folder.Delete(_prepared); // What is left is found at the next start.

    /// <summary>Puts an end to the doubt.</summary>
    public JournalError Settle() => IsInDoubt ? Replace(Current) : default;

    private JournalError PutInPlace(string written, Manifest manifest, bool syncs)
    {
        IsInDoubt = true;
        var error = folder.Rename(written, name);
        if (!syncs)
        {
            Current = error.IsError ? Current : manifest;
            return error;
        }

        error = error.IsError ? error : folder.Sync();
        if (!error.IsError)
        {
            IsInDoubt = false;
            Current = manifest;
        }

        return error;
    }

    /// <summary>Writes one that is to be put in its place, and has it be on the disk.</summary>
    private JournalError Write(string temporary, Manifest manifest)
    {
        var error = folder.Open(temporary, FileUse.Create, out var file);
        if (error.IsError)
        {
            return error;
        }

        using (file)
        {
            var text = ManifestText.Write(manifest);
            fixed (byte* bytes = text)
            {
                error = file!.Write(0, bytes, text.Length, out _);
            }

            error = error.IsError ? error : file.Sync();
        }

        if (error.IsError)
        {
            _ = folder.Delete(temporary);
        }

        return error;
    }

    private Manifest Parse()
    {
        // Whatever else has its name is in the way of the next one.
        var error = folder.Open(name, FileUse.Read, out var file);
        if (error.Errno == FileCalls.NoEntry)
        {
            return Manifest.Empty;
        }

        error.ThrowIfError();
        using (file)
        {
            file!.GetLength(out var bytes).ThrowIfError();
            if (bytes > MaxBytes)
            {
                throw new JournalException(
                    $"The AOF manifest '{file.Path}' has {bytes} bytes, which none has: restore it from a backup",
                    file.Path, -1);
            }

            var text = new byte[bytes];
            fixed (byte* target = text)
            {
                file.Read(0, target, text.Length, out var read).ThrowIfError();
                return ManifestText.Read(text.AsSpan(0, read), file.Path);
            }
        }
    }
}
