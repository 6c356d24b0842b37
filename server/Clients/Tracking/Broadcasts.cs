using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Server.Network;

namespace Strata.Server.Clients.Tracking;

/// <summary>Gathers the keys that were changed for the clients of a worker in BCAST mode, and tells each prefix's
/// clients of all that begin with it in one message. Worker's thread only.</summary>
internal sealed unsafe class Broadcasts : IDisposable
{
    // What is told at once: more goes in several messages.
    private const int MostKeys = 1024;
    private const int MostBytes = 64 << 10;

    // No client has this number.
    private const long Nobody = 0;

    private readonly InvalidationSender _sender;
    private readonly TrackedPrefixes _prefixes;
    private readonly ClientWorker _worker;
    private readonly NativeBuffer _names;
    private readonly List<GatheredKey> _keys = [];
    private readonly Dictionary<Channel, List<int>> _byPrefix = [];

    // Of the keys that are told of now, who has changed them.
    private readonly HashSet<long> _authors = [];

    public Broadcasts(ClientWorker worker, InvalidationSender sender, TrackedPrefixes prefixes)
    {
        _worker = worker;
        _sender = sender;
        _prefixes = prefixes;
        _names = new NativeBuffer(worker.Budget);
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _names.MemoryBytes;

    /// <summary>Whether no more can be gathered before it is told.</summary>
    public bool IsFull => _keys.Count >= MostKeys || _names.Length >= MostBytes;

    /// <summary>Gathers a key, if anybody is told of any.</summary>
    /// <param name="key">Its name.</param>
    /// <param name="author">The client that has changed it, 0 for none.</param>
    /// <returns>False where there is no memory for it.</returns>
    public bool TryAdd(ReadOnlySpan<byte> key, long author)
    {
        if (_prefixes.Lengths.IsEmpty)
        {
            return true;
        }

        try
        {
            key.CopyTo(new Span<byte>(_names.ReserveTail(key.Length), key.Length));
        }
        catch (OutOfMemoryException)
        {
            return false;
        }

        _keys.Add(new GatheredKey(_names.Length, key.Length, author, _keys.Count));
        _names.Commit(key.Length);
        return true;
    }

    /// <summary>Tells what was gathered.</summary>
    public void Tell(CommandContext? executing)
    {
        if (_keys.Count == 0)
        {
            return;
        }

        try
        {
            Sort();
            for (var i = 0; i < _keys.Count; i++)
            {
                AddToPrefixes(i);
            }

            foreach (var (prefix, places) in _byPrefix)
            {
                Tell(prefix, places, executing);
            }
        }
        finally
        {
            _byPrefix.Clear();
            _keys.Clear();
            _names.Clear(MostBytes);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _names.Dispose();

    private ReadOnlySpan<byte> NameOf(in GatheredKey key) => new(_names.Start + key.Offset, key.Length);

    /// <summary>Puts the keys in order, each once: with who has changed it, or nobody where several have, since each of
    /// them must be told of the others.</summary>
    private void Sort()
    {
        _keys.Sort((one, other) => NameOf(one).SequenceCompareTo(NameOf(other)) is not 0 and var order
            ? order
            : one.Number.CompareTo(other.Number));
        var kept = 0;
        for (var i = 0; i < _keys.Count; i++)
        {
            var isSame = kept > 0 && NameOf(_keys[kept - 1]).SequenceEqual(NameOf(_keys[i]));
            var areSeveral = isSame && _keys[kept - 1].Author != _keys[i].Author;
            kept += isSame ? 0 : 1;
            _keys[kept - 1] = areSeveral ? _keys[i] with { Author = Nobody } : _keys[i];
        }

        _keys.RemoveRange(kept, _keys.Count - kept);
    }

    private void AddToPrefixes(int place)
    {
        var name = NameOf(_keys[place]);
        foreach (var length in _prefixes.Lengths)
        {
            if (length > name.Length)
            {
                return;
            }

            if (_prefixes.TryFind(name, length, out var prefix) && prefix.CountOf(_worker.Number) > 0)
            {
                if (!_byPrefix.TryGetValue(prefix, out var places))
                {
                    _byPrefix[prefix] = places = [];
                }

                places.Add(place);
            }
        }
    }

    private void Tell(Channel prefix, List<int> places, CommandContext? executing)
    {
        _worker.Messages.Resp2.Next();
        _worker.Messages.Resp3.Next();
        _authors.Clear();
        places.ForEach(place => _authors.Add(_keys[place].Author));
        foreach (var client in prefix.SubscribersOf(_worker.Number) ?? [])
        {
            if (((Session)client).Tracking is { } tracking && !IsOwn(client.Id, tracking))
            {
                Tell((Session)client, tracking, places, executing);
            }
        }

        foreach (var client in prefix.SubscribersOf(_worker.Number) ?? [])
        {
            if (((Session)client).Tracking is { } tracking && IsOwn(client.Id, tracking))
            {
                TellOfOthers((Session)client, tracking, places, executing);
            }
        }

        _worker.Messages.SendMuch(executing);
    }

    /// <summary>Whether a client has changed some of the keys itself, and is not told of these.</summary>
    private bool IsOwn(long client, TrackingState tracking)
        => tracking.Has(TrackingFlags.NoLoop) && _authors.Contains(client);

    /// <summary>Tells a client of what others have changed, in a message of its own.</summary>
    private void TellOfOthers(Session client, TrackingState tracking, List<int> places, CommandContext? executing)
    {
        var others = places.FindAll(place => _keys[place].Author != client.Id);
        if (others.Count > 0)
        {
            _worker.Messages.Resp2.Next();
            _worker.Messages.Resp3.Next();
            Tell(client, tracking, others, executing);
        }
    }

    private void Tell(Session client, TrackingState tracking, List<int> places, CommandContext? executing)
    {
        if (!_sender.TryFindTold(client, tracking, executing, out var told))
        {
            return;
        }

        if (told.Worker == _worker)
        {
            _sender.Push(told, buffer => Write(buffer, places), executing);
            return;
        }

        foreach (var place in places)
        {
            InvalidationSender.TellOther(told, NameOf(_keys[place]));
        }
    }

    private void Write(PushBuffer buffer, List<int> places)
    {
        buffer.BeginInvalidation(places.Count);
        foreach (var place in places)
        {
            buffer.Writer.Bulk(NameOf(_keys[place]));
        }
    }

    private readonly record struct GatheredKey(long Offset, int Length, long Author, int Number);
}
