using System.Runtime.InteropServices;
using Strata.Server;
using Strata.Server.Journal.Files;
using Strata.Server.Persistence;

namespace Strata.Tests.Simulation;

/// <summary>A rewrite of the journal in the midst of a run: the data of one moment, which with what the journal is told
/// behind that moment must make another server what this one is.</summary>
/// <param name="server">The server.</param>
/// <param name="kind">As what it is written.</param>
internal sealed class SimulatedRewrite(StrataServer server, JournalBaseKind kind) : ISnapshotEnd
{
    private SnapshotOutcome? _outcome;
    private byte[]? _bytes;
    private long _number;

    /// <summary>As what the base is written.</summary>
    public JournalBaseKind Kind => kind;

    /// <summary>Whether it has ended, however.</summary>
    public bool HasEnded => _outcome != null;

    /// <summary>What it has failed by; null while it has not.</summary>
    public string? Error => _outcome?.Error;

    /// <summary>The data; null unless it has ended well.</summary>
    public byte[]? Base => Error == null ? _bytes : null;

    /// <summary>The number of the last batch of effects before its moment; a later one if it was begun anew.</summary>
    public long MomentSequence { get; private set; }

    /// <summary>Has it begin as soon as all leases can be had.</summary>
    public void Begin() => server.Services.Snapshots.Want(new SnapshotRequest
    {
        Kind = SnapshotKind.Rewrite,
        Base = kind,
        CheckpointNumber = kind == JournalBaseKind.Checkpoint ? () => _number : null,
        AtMoment = OnMoment,
        Open = () => new MemoryFile(this),
        End = this,
    });

    /// <inheritdoc/>
    public void OnEnded(SnapshotOutcome outcome) => _outcome = outcome;

    private void OnMoment()
    {
        MomentSequence = server.Services.Journal.LastSequence;
        if (kind == JournalBaseKind.Checkpoint)
        {
            // A failed one's segments are held by the next, which is the one that was begun anew.
            var tier = server.Context.Shards.Tier!;
            tier.Checkpoints.OnGivenUp(_number);
            _number = tier.Checkpoints.Begin();
        }
    }

    /// <summary>What a checkpoint names is held no more.</summary>
    public void EndHold() => server.Context.Shards.Tier?.Checkpoints.OnGivenUp(_number);

    /// <summary>What is written, until it is kept or discarded.</summary>
    private sealed class MemoryFile(SimulatedRewrite owner) : ISnapshotFile
    {
        private readonly List<byte> _bytes = [];

        /// <inheritdoc/>
        public void Write(ReadOnlySpan<byte> bytes) => _bytes.AddRange(bytes);

        /// <inheritdoc/>
        public void WriteOver(long offset, ReadOnlySpan<byte> bytes)
            => bytes.CopyTo(CollectionsMarshal.AsSpan(_bytes).Slice((int)offset, bytes.Length));

        /// <inheritdoc/>
        public void EndPart()
        {
            // What is not whole is not looked at.
        }

        /// <inheritdoc/>
        public void Commit() => owner._bytes = [.. _bytes];

        /// <inheritdoc/>
        public void Discard() => _bytes.Clear();
    }
}
