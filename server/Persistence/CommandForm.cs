using Strata.Server.Rdb;
using Strata.Server.Scripting.Functions;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>A snapshot as commands that make the data: the base of an append-only file without RDB.</summary>
internal sealed class CommandForm(MemoryBudget budget) : SnapshotForm
{
    private readonly RdbOutput _text = new(budget);
    private ISnapshotFile? _file;
    private long _length;
    private long _partBytes;

    /// <inheritdoc/>
    public override long Length => _length;

    /// <inheritdoc/>
    public override IEntryWriter NewEntries() => new CommandEntries(budget);

    /// <inheritdoc/>
    public override void Begin(ISnapshotFile file, LibrarySet libraries)
    {
        _file = file;
        foreach (var library in libraries.Libraries)
        {
            CommandText.Begin(_text, "FUNCTION"u8, 3);
            CommandText.Argument(_text, "LOAD"u8);
            CommandText.Argument(_text, library.Code);
            WriteText();
            EndPart();
        }
    }

    /// <inheritdoc/>
    public override void Select(int database, long keys, long expiring)
    {
        CommandText.Begin(_text, "SELECT"u8, 2);
        CommandText.Argument(_text, database);
        WriteText();
    }

    /// <inheritdoc/>
    public override void Append(in SnapshotBlock block)
    {
        Write(block.Output.Written);
        if (block.StandsByItself && _partBytes >= ServerLimits.JournalBatchBytes)
        {
            EndPart();
        }
    }

    /// <inheritdoc/>
    public override void End(int version) => EndPart();

    /// <inheritdoc/>
    public override void Dispose() => _text.Dispose();

    private void WriteText()
    {
        Write(_text.Written);
        _text.Clear();
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        _file!.Write(bytes);
        _length += bytes.Length;
        _partBytes += bytes.Length;
    }

    private void EndPart()
    {
        _file!.EndPart();
        _partBytes = 0;
    }
}
