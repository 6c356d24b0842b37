using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Keyspace;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Census;

namespace Strata.Server.Commands.Observation;

/// <summary>Answers STRATA PREFIXES.</summary>
internal sealed class PrefixesPass : CensusPass
{
    private const int FieldsOfPrefix = 12;
    private const int EffortPerPrefix = 16;
    private const int Digits = 4;

    private readonly PrefixesRequest _request;
    private readonly PrefixList _list;
    private readonly CensusCopy _copy = new();
    private List<PrefixShare>? _shares;
    private double _memory;
    private double _disk;
    private int _shard;
    private int _next = -1;
    private int _told;

    public PrefixesPass(CommandContext context, PrefixesRequest request)
        : base(context, StrataPrefixes.Row)
    {
        _request = request;
        _list = new PrefixList(request.Rule, request.Database);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        if (!TryRefresh(context, ref effort) || !TryAdd(context, ref effort))
        {
            return false;
        }

        if (_shares == null)
        {
            _shares = _list.Shares();
            _memory = _shares.Sum(static share => share.Memory.Value);
            _disk = _shares.Sum(static share => share.Disk.Value);
            effort -= _shares.Count;
        }

        for (; _told < Math.Min(_shares.Count, _request.Count); effort -= EffortPerPrefix)
        {
            if (effort <= 0)
            {
                return false;
            }

            Write(context, context.Reply, _shares[_told++]);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply)
    {
        reply.Map(8);
        reply.Bulk("separator"u8);
        reply.Bulk(_request.Rule.Separator);
        reply.Bulk("depth"u8);
        reply.Integer(_request.Rule.Depth);
        reply.Bulk("keys"u8);
        reply.Integer(_list.Keys);
        reply.Bulk("keys-seen"u8);
        reply.Integer(_list.Seen);
        reply.Bulk("keys-unread"u8);
        reply.Integer((long)_list.Unread);
        reply.Bulk("memory-bytes"u8);
        reply.Integer((long)_memory);
        reply.Bulk("disk-bytes"u8);
        reply.Integer((long)_disk);
        reply.Bulk("prefixes"u8);
        reply.Array(_told);
    }

    /// <summary>Adds what shards know of keys that the client may be told of.</summary>
    private bool TryAdd(CommandContext context, ref long effort)
    {
        var shards = context.Server.Shards;
        for (; _shard < shards.Count; _shard++, _next = -1)
        {
            if (_next < 0)
            {
                Invariant.Check(shards[_shard].Census.TryCopy(_copy), "nobody changes shards meanwhile");
                _list.Begin(_copy);
                _next = 0;
            }

            for (; _next < _copy.Largest.Count + _copy.Sample.Count; _next++, effort -= Keys.EffortPerKey)
            {
                if (effort <= 0)
                {
                    return false;
                }

                Add(_next);
            }
        }

        return true;
    }

    private void Add(int index)
    {
        if (index < _copy.Largest.Count)
        {
            _list.AddLargest(index, IsTold(_copy.Largest, index));
            return;
        }

        index -= _copy.Largest.Count;
        _list.AddDrawn(index, IsTold(_copy.Sample, index));
    }

    private bool IsTold(CensusKeys keys, int index)
    {
        var name = keys.NameOf(index).Span;
        return Keys.Has(name, isWhole: name.Length == keys[index].KeyLength);
    }

    private void Write(CommandContext context, ReplyWriter reply, PrefixShare share)
    {
        reply.Map(FieldsOfPrefix);
        reply.Bulk("prefix"u8);
        reply.Bulk(share.Prefix);
        reply.Bulk("db"u8);
        reply.Integer(context.Server.Databases.LogicalOf(share.Database));
        Write(reply, "keys"u8, "keys-at-least"u8, "keys-at-most"u8, share.Keys);
        Write(reply, "memory-bytes"u8, "memory-at-least"u8, "memory-at-most"u8, share.Memory);
        Write(reply, "disk-bytes"u8, "disk-at-least"u8, "disk-at-most"u8, share.Disk);
        reply.Bulk("share"u8);
        reply.Double(Math.Round(share.Bytes / Math.Max(1, _memory + _disk), Digits));
    }

    private static void Write(
        ReplyWriter reply,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> atLeast,
        ReadOnlySpan<byte> atMost,
        in Estimate estimate)
    {
        reply.Bulk(name);
        reply.Integer((long)Math.Round(estimate.Value));
        reply.Bulk(atLeast);
        reply.Integer((long)Math.Floor(estimate.AtLeast));
        reply.Bulk(atMost);
        reply.Integer((long)Math.Ceiling(estimate.AtMost));
    }
}
