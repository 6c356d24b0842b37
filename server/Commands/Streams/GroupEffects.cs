using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>
/// What a command in steps is to tell the journal when it has come to its end, written as it goes on: then it is only
/// copied. Of entries that become the same consumer's at the same time many are told at once.
/// </summary>
/// <param name="context">The command.</param>
internal sealed class GroupEffects(CommandContext context) : ICommandEffects, IDisposable
{
    // What is told at once is repeated in one go.
    private const int MostIds = 512;

    private readonly ReplyWriter _text = context.Session.Worker.CreateReply(protocol: 2);
    private readonly List<int> _starts = [];
    private readonly StreamId[] _ids = new StreamId[MostIds];
    private int _idCount;
    private Key _key;
    private StreamGroup _group;
    private PendingEntry _entry;
    private StreamId _lastId;

    /// <inheritdoc/>
    public bool IsChanged => false;

    /// <inheritdoc/>
    public void Begin(int count, ReadOnlySpan<byte> verb)
    {
        EndClaims();
        _starts.Add(_text.Length);
        _text.Array(count);
        _text.Bulk(verb);
    }

    /// <inheritdoc/>
    public void Argument(ReadOnlySpan<byte> argument) => _text.Bulk(argument);

    /// <inheritdoc/>
    public void Argument(long number) => _text.BulkInteger(number);

    /// <inheritdoc/>
    public void Written(ReadOnlySpan<byte> effect) => throw new InvalidOperationException("effects are written here");

    /// <inheritdoc/>
    public void MarkChanged() => throw new InvalidOperationException("what is told here is told in place of a command");

    /// <summary>An entry is a consumer's, or, where it is no more, nobody's.</summary>
    public void Claim(in Key key, StreamGroup group, in PendingEntry entry, StreamId lastId)
    {
        if (_idCount == MostIds || (_idCount > 0 && !IsLikeLast(key, group, entry)))
        {
            EndClaims();
        }

        (_key, _group, _entry) = (key, group, entry);
        _lastId = lastId;
        _ids[_idCount++] = entry.Id;
    }

    /// <summary>A step ends, or something else is told: what keys and names point to may not stay.</summary>
    public void EndClaims()
    {
        if (_idCount > 0)
        {
            var ids = new ReadOnlySpan<StreamId>(_ids, 0, _idCount);
            _idCount = 0;
            StreamEffects.Claim(this, _key, _group, _entry, ids, _lastId);
        }
    }

    /// <summary>Tells all of it.</summary>
    public void TellTo(ICommandEffects effects)
    {
        for (var i = 0; i < _starts.Count; i++)
        {
            var end = i + 1 < _starts.Count ? _starts[i + 1] : _text.Length;
            effects.Written(_text.WrittenSpan[_starts[i]..end]);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _text.Dispose();

    private bool IsLikeLast(in Key key, StreamGroup group, in PendingEntry entry)
        => entry.Consumer == _entry.Consumer && entry.DeliveredMs == _entry.DeliveredMs
            && entry.Deliveries == _entry.Deliveries && group == _group && key.Hash == _key.Hash;
}
