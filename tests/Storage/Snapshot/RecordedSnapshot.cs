using NUnit.Framework;
using Strata.Storage.Log;
using Strata.Storage.Snapshot;
using Strata.Tests.Server.Changes;

namespace Strata.Tests.Storage.Snapshot;

/// <summary>Takes a snapshot as texts. It may be full, and at another long value, as chance will have it; a value that
/// is taken in steps must be at its end what it was at its beginning.</summary>
internal sealed class RecordedSnapshot(Random random) : ISnapshotOutput
{
    private Sink? _busy;

    /// <summary>What was taken, by the names of <see cref="SeamCopy"/>.</summary>
    public Dictionary<string, string> Texts { get; } = [];

    /// <summary>Keys that were taken twice.</summary>
    public List<string> Doubles { get; } = [];

    /// <summary>Values that changed while they were taken.</summary>
    public List<string> Torn { get; } = [];

    /// <summary>Values that were taken in steps, of which there were more than one.</summary>
    public int InSteps { get; private set; }

    /// <summary>Whether it has been told of the end.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Of a checkpoint the pages, each with its shard.</summary>
    public List<(int Shard, KeptPage Page)> Pages { get; } = [];

    /// <summary>The entries that point to them.</summary>
    public List<(int Shard, ulong Entry, byte BucketBits)> Entries { get; } = [];

    /// <summary>Chance of finding it full, of 100.</summary>
    public int FullPercent { get; set; } = 20;

    public SnapshotFailure? Failure { get; private set; }

    public ISnapshotSink SinkOf(int shard) => new Sink(this, shard);

    public void OnWalked(SnapshotFailure? failure)
    {
        Assert.That(HasEnded, Is.False, "the end is told once");
        HasEnded = true;
        Failure = failure;
    }

    private void Add(in Record record)
    {
        var name = SeamCopy.NameOf(record.Database, record.KeyWith(0).Span);
        if (!Texts.TryAdd(name, RecordText.Of(record)))
        {
            Doubles.Add(name);
        }
    }

    private sealed class Sink(RecordedSnapshot owner, int shard) : ICheckpointSink
    {
        private string _text = "";
        private int _steps;

        public bool IsFull => owner._busy != this && owner.Chance(owner.FullPercent);

        public void Write(in Record record) => owner.Add(record);

        public void WritePage(in KeptPage page) => owner.Pages.Add((shard, page));

        public void WriteEntry(ulong entry, byte bucketBits) => owner.Entries.Add((shard, entry, bucketBits));

        public bool TryBegin(in Record record)
        {
            if (owner._busy != null || owner.Chance(10))
            {
                return false;
            }

            owner._busy = this;
            _text = RecordText.Of(record);
            _steps = 0;
            return true;
        }

        public bool Step(in Record record, int effort)
        {
            Assert.That(owner._busy, Is.SameAs(this), "it was begun");
            if (effort != int.MaxValue && _steps++ < 5)
            {
                return false;
            }

            owner._busy = null;
            owner.InSteps++;
            if (RecordText.Of(record) != _text)
            {
                owner.Torn.Add(_text);
            }

            owner.Add(record);
            return true;
        }

        public void End()
        {
            if (owner._busy == this)
            {
                owner.Torn.Add("a value was begun and not ended");
            }
        }
    }

    private bool Chance(int percent) => random.Next(100) < percent;
}
