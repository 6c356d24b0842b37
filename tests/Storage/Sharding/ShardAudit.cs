using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Tests.Storage.Sharding;

/// <summary>Counts all of a shard again by walking its pages and buckets, and compares that with its running counters.
/// The lease must be held, or nobody else be there. What is on the device alone is not read: there the counters of its
/// pages are believed.</summary>
internal sealed unsafe class ShardAudit
{
    private readonly Shard _shard;
    private readonly RecordLog _log;
    private readonly HashSet<ulong> _addresses = [];
    private readonly long[] _keys = new long[Limits.MaxDatabases];
    private readonly long[] _expires = new long[Limits.MaxDatabases];
    private readonly long[] _timeLeftMs = new long[Limits.MaxDatabases];
    private readonly long _nowMs;
    private string? _fault;
    private bool _hasColdExpiry;
    private long _coldEntries;
    private long _coldPages;
    private long _hashesWithTimes;

    private ShardAudit(Shard shard, long nowMs)
    {
        _shard = shard;
        _log = shard.Log;
        _nowMs = nowMs;
    }

    /// <summary>What is not as it must be; null when all is.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="nowMs">Any time, by which the times that keys have left are counted.</param>
    public static string? FirstFault(Shard shard, long nowMs)
    {
        var audit = new ShardAudit(shard, nowMs);
        audit.WalkIndex();
        audit.WalkPages();
        audit.CompareDatabases();
        return audit._fault == null ? null : $"shard {shard.Number}: {audit._fault}";
    }

    private void Check(bool holds, string what) => _fault ??= holds ? null : what;

    private void Check(long counter, long counted, string what)
        => Check(counter == counted, $"{what}: the counter says {counter}, counted are {counted}");

    private void WalkIndex()
    {
        var index = _shard.Index;
        for (var number = 0U; number < index.BucketCount; number++)
        {
            for (var bucket = index.Bucket(number); bucket != null; bucket = index.Next(bucket))
            {
                for (var i = 0; i < HashIndex.EntriesPerBucket; i++)
                {
                    if (bucket[i] != 0)
                    {
                        CheckEntry(number, bucket[i]);
                    }
                }
            }
        }

        Check(index.Count, _addresses.Count, "entries of the index");
    }

    private void CheckEntry(uint bucket, ulong entry)
    {
        var address = IndexEntry.Address(entry);
        Check(_addresses.Add(address), "two entries point to one record");
        var page = _log.PageOf(address);
        Check(page > 0 && page < _log.PageTop && _log.Pages[page].Kind != PageKind.Free, "an entry's page is in use");
        if (_fault != null)
        {
            return;
        }

        if (_log.Pages[page].Kind == PageKind.Cold)
        {
            _coldEntries++;
            _keys[_log.Pages[page].Database]++;
            return;
        }

        Check(_log.TryOpen(address, out var record), "an entry points to a record");
        if (_fault == null)
        {
            var hash = record.ComputeHash();
            Check(!record.IsDead, "an entry points to a live record");
            Check(_shard.Index.BucketOf(hash) == bucket, "an entry stands in the bucket of its record's key");
            Check((entry & IndexEntry.TagMask) == IndexEntry.TagInPlace(hash), "an entry has the tag of its key");
            _keys[record.Database]++;
        }
    }

    private void WalkPages()
    {
        var (live, garbage, memory, pages, segmentsLive, records) = (0L, 0L, 0L, 0, 0L, 0L);
        for (var page = 1; page < _log.PageTop && _fault == null; page++)
        {
            ref readonly var info = ref _log.Pages[page];
            if (info.Kind == PageKind.Free)
            {
                continue;
            }

            pages++;
            memory += info.FrameBytes;
            if (info.Kind == PageKind.Cold)
            {
                CountCold(info);
            }
            else if (info.Kind != PageKind.Writing || info.LiveBytes > 0) // All of it may be given up unmarked.
            {
                records += WalkPage(page);
            }

            var isMutable = info.Kind <= PageKind.Pinned;
            live += isMutable ? info.LiveBytes : 0;
            garbage += isMutable ? info.GarbageBytes : 0;
            segmentsLive += isMutable ? 0 : info.LiveBytes;
            Check(isMutable || info.LiveBytes > 0 || info.Kind == PageKind.Writing, "what holds nothing is gone");
        }

        Check(records + _coldEntries, _addresses.Count, "records the index points to");
        Check(_log.PageCount, pages, nameof(_log.PageCount));
        Check(_log.LiveBytes, live, nameof(_log.LiveBytes));
        Check(_log.GarbageBytes, garbage, nameof(_log.GarbageBytes));
        Check(_log.PageMemoryBytes, memory, nameof(_log.PageMemoryBytes));
        Check(_shard.Collections.Fields.Count, _hashesWithTimes, "hashes with fields that expire");
        if (_log.Device is { } device)
        {
            Check(device.ColdPages, _coldPages, nameof(device.ColdPages));
            Check(_log.HasCold == _coldPages > 0, nameof(_log.HasCold));
            Check(device.Segments.LiveBytes, segmentsLive, "live bytes on the device");
        }
    }

    private void CountCold(in PageInfo info)
    {
        _coldPages++;
        _expires[info.Database] += info.ExpiringRecords;
        _hasColdExpiry |= info.ExpiringRecords > 0;
    }

    /// <summary>Walks a page that is in memory.</summary>
    /// <returns>Live records.</returns>
    private long WalkPage(int page)
    {
        ref readonly var info = ref _log.Pages[page];
        var (live, expiring, records) = (0L, 0, 0L);
        long offset = 0;
        while (_log.TryWalk(page, ref offset, out var record))
        {
            var isLive = _addresses.Contains(record.Address);
            if (!isLive && !record.IsDead && IsBeingFilled(record))
            {
                live += record.LiveBytes;
                expiring += record.HasExpiry ? 1 : 0;
                continue;
            }

            Check(record.IsDead != isLive, "the dead are marked");
            if (isLive)
            {
                records++;
                live += record.LiveBytes;
                expiring += record.HasExpiry ? 1 : 0;
                Check(!record.HasExpiry || record.ExpiryMs >= info.EarliestExpiryMs, "a page's earliest expiry");
                Count(record);
            }
        }

        Check(offset, info.UsedBytes, "records fill the page's used part");
        Check(info.UsedBytes <= info.FrameBytes, "a page's used part fits its frame");
        Check(info.LiveBytes, live, "live bytes of a page");
        Check(info.ExpiringRecords, expiring, "expiring records of a page");
        Check(info.Kind != PageKind.Pinned || expiring == 0, "what is pinned does not expire");
        return records;
    }

    private void Count(in Record record)
    {
        if (record.HasExpiry)
        {
            _expires[record.Database]++;
            _timeLeftMs[record.Database] += record.ExpiryMs - _nowMs;
        }

        if (record.IsLarge && record.Type == RecordType.Hash)
        {
            _hashesWithTimes += ((HashRoot*)ShardCollections.RootOf(record))->Expiries.Count > 0 ? 1 : 0;
        }
    }

    /// <summary>A record beside the large collection that is packed into it step by step.</summary>
    private bool IsBeingFilled(in Record record)
        => record.IsFrozen && _shard.Tier != null && _shard.Tier.Tier.Freezes > 0;

    private void CompareDatabases()
    {
        var databases = _shard.Databases;
        Check(databases.TotalExpires, _expires.Sum(), "records with an expiry");
        for (var i = 0; i < Limits.MaxDatabases; i++)
        {
            Check(databases.Keys((byte)i), _keys[i], $"keys of database {i}");
            Check(databases.Expires((byte)i), _expires[i], $"keys with an expiry of database {i}");
            if (!_hasColdExpiry)
            {
                Check(databases.TimeLeftMs((byte)i, _nowMs), _timeLeftMs[i], $"time left in database {i}");
            }
        }
    }
}
