using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Simulation.Streams;

/// <summary>XREAD and XREADGROUP, at the moment at which they are answered: who waits is told so then.</summary>
/// <param name="state">What the server holds, which is changed.</param>
/// <param name="request">What is asked for.</param>
internal sealed class StreamReading(KeyspaceState state, StreamReadRequest request)
{
    private readonly List<string> _parts = [];

    /// <summary>Executes it.</summary>
    /// <param name="reply">What was answered; null where nobody knows.</param>
    /// <returns>What it answers; null when it would wait.</returns>
    public string? Apply(string? reply)
    {
        if (request.Keys.Select(FaultAt).FirstOrDefault(fault => fault != null) is { } fault
            && (request.Group != null || request.BlockMs == null || reply == fault))
        {
            return fault; // For who waits without a group another type of value is none.
        }

        foreach (var (key, id) in request.Streams)
        {
            if (state.Get(key) is StreamState stream)
            {
                Serve(key, id, stream, reply);
            }
        }

        return _parts.Count > 0 ? ReplyText.Array(_parts)
            : request.BlockMs == null || reply == ReplyText.Null || (reply == null && request.BlockMs > 0)
                ? ReplyText.Null
            : null;
    }

    private string? FaultAt(string key) => state.Get(key) switch
    {
        StreamState stream => request.Group == null || stream.Groups.ContainsKey(request.Group) ? null : "-NOGROUP",
        null => request.Group == null ? null : "-NOGROUP",
        _ => ReplyText.WrongType,
    };

    private void Serve(string key, string id, StreamState stream, string? reply)
    {
        if (request.Group == null)
        {
            // Which was the last when it came nobody knows: those that were answered must be the last ones.
            var entries = id == "$"
                ? AllLast(stream).FirstOrDefault(last => reply?.Contains(Part(key, last)) == true, [])
                : [.. stream.Entries.Where(entry => entry.Key > StreamModel.Id(id)).Take(request.Count)];
            Add(key, entries);
        }
        else if (id == ">")
        {
            GiveNew(key, stream, stream.Groups[request.Group]);
        }
        else
        {
            GivePending(key, stream, stream.Groups[request.Group], StreamModel.Id(id));
        }
    }

    private IEnumerable<List<KeyValuePair<StreamId, string>>> AllLast(StreamState stream)
        => Enumerable.Range(0, stream.Entries.Count)
            .Select(first => stream.Entries.Skip(first).Take(request.Count).ToList());

    private void GiveNew(string key, StreamState stream, GroupState group)
    {
        var entries = stream.Entries.Where(entry => entry.Key > group.LastId).Take(request.Count).ToList();
        foreach (var (id, _) in entries)
        {
            group = group with
            {
                LastId = id,
                Read = group.Read is { } read && !stream.HasGapsFrom(id) ? read + 1 : stream.AddedUpTo(id),
                Pending = request.IsAcknowledged
                    ? group.Pending
                    : group.Pending.SetItem(id, new PendingState(request.Consumer, 1)),
            };
        }

        if (entries.Count > 0)
        {
            state.PutUnwatched(key, stream.With(request.Group!, group));
        }

        Add(key, entries);
    }

    /// <summary>Of what was deleted since, the id alone is answered, and nothing changes.</summary>
    private void GivePending(string key, StreamState stream, GroupState group, StreamId seen)
    {
        var own = group.Pending.Where(entry => entry.Value.Consumer == request.Consumer && entry.Key > seen)
            .Take(request.Count).ToList();
        var items = new List<string>();
        foreach (var (id, pending) in own)
        {
            var fields = stream.Entries.GetValueOrDefault(id);
            items.Add(StreamModel.Entry(id, fields ?? ReplyText.Null));
            if (fields != null)
            {
                var again = pending with { Deliveries = pending.Deliveries + 1 };
                group = group with { Pending = group.Pending.SetItem(id, again) };
            }
        }

        if (own.Count > 0)
        {
            state.PutUnwatched(key, stream.With(request.Group!, group));
        }

        _parts.Add(ReplyText.Array(["$" + key, ReplyText.Array(items)]));
    }

    private void Add(string key, List<KeyValuePair<StreamId, string>> entries)
    {
        if (entries.Count > 0)
        {
            _parts.Add(Part(key, entries));
        }
    }

    private static string Part(string key, IEnumerable<KeyValuePair<StreamId, string>> entries)
        => ReplyText.Array(["$" + key, StreamModel.Entries(entries)]);
}
