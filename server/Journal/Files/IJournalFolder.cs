namespace Strata.Server.Journal.Files;

/// <summary>
/// A folder of the journal's files. One owner at a time; every call may block for as long as the disk takes. Names that
/// appear, change or go are safe from a loss of power after <see cref="Sync"/>; until then any of them may have come
/// about, and any not.
/// </summary>
internal interface IJournalFolder
{
    /// <summary>Where it lies, for messages.</summary>
    string Path { get; }

    /// <summary>Whether it exists.</summary>
    bool Exists();

    /// <summary>Makes it where it does not exist, safe from a loss of power.</summary>
    JournalError Make();

    /// <summary>Whether it holds a file of a name.</summary>
    bool Holds(string name);

    /// <summary>Adds the names of all files in it to a list.</summary>
    JournalError List(List<string> names);

    /// <summary>Opens a file.</summary>
    /// <param name="name">Its name in the folder.</param>
    /// <param name="use">What for.</param>
    /// <param name="file">The file; null with an error.</param>
    JournalError Open(string name, FileUse use, out IJournalFile? file);

    /// <summary>Gives a file another name, in the place of whatever bears it.</summary>
    JournalError Rename(string from, string to);

    /// <summary>Moves a file to another folder of the same file system, under its name.</summary>
    JournalError Move(string name, IJournalFolder target);

    /// <summary>Deletes a file; one that does not exist is no error.</summary>
    JournalError Delete(string name);

    /// <summary>Has all names be safe from a loss of power.</summary>
    JournalError Sync();
}
