using Strata.Server.Journal;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Journal;

/// <summary>What a server tells its journal, as the journal's thread would write it.</summary>
internal sealed unsafe class EffectLog : IJournalOutput, IDisposable
{
    private readonly EffectMerge _merge;
    private readonly JournalStream _stream;
    private readonly MemoryStream _bytes = new();

    /// <summary>Turns a server's journal on.</summary>
    public EffectLog(TurnServer server)
        : this(server.Server.Services.Journal)
    {
    }

    /// <summary>Turns a journal on.</summary>
    public EffectLog(EffectJournal journal)
    {
        Journal = journal;
        Journal.TurnOn();
        _merge = new EffectMerge(Journal);
        _stream = new JournalStream(this);
    }

    public EffectJournal Journal { get; }

    /// <summary>What was told since the last time, a command each.</summary>
    public IReadOnlyList<string> Take() => AofText.CommandsOf(TakeBytes());

    /// <summary>The same as its bytes.</summary>
    public byte[] TakeBytes() => TakeBytes(long.MaxValue);

    /// <summary>Forgets what was told up to a batch: what follows begins a file of its own.</summary>
    /// <param name="last">The batch's number.</param>
    public void Forget(long last)
    {
        _ = TakeBytes(last);
        _stream.BeginFile();
    }

    /// <inheritdoc/>
    public void Write(byte* bytes, long length) => _bytes.Write(new ReadOnlySpan<byte>(bytes, (int)length));

    /// <inheritdoc/>
    public void EndBatch()
    {
        // Nothing stands between two batches here.
    }

    /// <summary>The same up to a batch.</summary>
    /// <param name="last">The batch's number.</param>
    public byte[] TakeBytes(long last)
    {
        _merge.Take(_stream, last, long.MaxValue);
        _stream.EndBatch();
        var bytes = _bytes.ToArray();
        _bytes.SetLength(0);
        return bytes;
    }

    public void Dispose()
    {
        _stream.Dispose();
        _bytes.Dispose();
        Journal.TurnOff();
    }
}
