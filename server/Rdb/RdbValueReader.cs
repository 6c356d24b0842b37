using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>
/// Reads values of every type and form, old ones too, one after the other, and each in as many steps as the caller
/// wants; it becomes a key's when it is whole, by <see cref="Put"/>. Under the lease of the key's shard, which may be
/// given back between two steps; if the shard is emptied meanwhile, the value is lost (<see cref="IsLost"/>). What is
/// wrong is an <see cref="RdbException"/>; the value is to be abandoned then.
/// </summary>
internal sealed class RdbValueReader
{
    // Bytes that are read in about the time an element takes by itself.
    private const int BytesPerUnit = 128;

    // Redis 7.4 keeps times of fields in 48 bits.
    private const long LatestMs = (1L << 48) - 2;

    private const int LongestScore = 128;
    private const byte NotANumber = 253;
    private const byte Infinity = 254;
    private const byte MinusInfinity = 255;

    private readonly RdbString _first;
    private readonly RdbString _second;
    private readonly HashLoader _hash;
    private readonly ListLoader _list;
    private readonly SetLoader _set;
    private readonly SortedSetLoader _sortedSet;
    private readonly StreamValueReader _stream;
    private readonly ListpackWalk _listpack = new();
    private readonly ZiplistWalk _ziplist = new();
    private readonly ZipmapWalk _zipmap = new();
    private readonly IntsetWalk _intset = new();
    private readonly byte[] _firstDigits = new byte[CanonicalInteger.MaxBytes];
    private readonly byte[] _secondDigits = new byte[CanonicalInteger.MaxBytes];
    private RdbInput _input = null!;
    private CollectionStore _store = null!;
    private RdbShape _shape = null!;

    // What goes through the string that holds elements, while that is under way.
    private BlobWalk? _walk;

    // Elements or nodes that were not read yet; -1 before their number is known.
    private long _left;
    private long _firstMs;

    /// <summary>Nothing to read yet.</summary>
    /// <param name="budget">What is charged.</param>
    public RdbValueReader(MemoryBudget budget)
    {
        _first = new RdbString(budget);
        _second = new RdbString(budget);
        _hash = new HashLoader(budget);
        _list = new ListLoader(budget);
        _set = new SetLoader(budget);
        _sortedSet = new SortedSetLoader(budget);
        _stream = new StreamValueReader(budget);
    }

    /// <summary>What the value is; known when it has begun.</summary>
    public RecordType Type => _shape.Type;

    /// <summary>Whether the value, all of which was read, is a collection without elements, as old files have some.
    /// </summary>
    public bool IsEmpty
        => Type != RecordType.String && LoaderOf(Type) is { Count: 0, MayBeEmpty: false };

    /// <summary>Whether the shard was emptied since the value was begun, and what there was of it with that: it is to
    /// be abandoned, and begun anew.</summary>
    public bool IsLost => Type != RecordType.String && LoaderOf(Type).IsLost;

    /// <summary>Begins with a value.</summary>
    /// <param name="type">The number of its type and form, which was read.</param>
    /// <param name="input">Where it follows.</param>
    /// <param name="store">The shard that it is for.</param>
    /// <param name="limits">Up to where collections are packed.</param>
    public void Begin(byte type, RdbInput input, CollectionStore store, in CollectionLimits limits)
    {
        RdbModule.Refuse(type, input, input.Offset);
        _shape = RdbShape.Of(type, input.Offset);
        _input = input;
        _store = store;
        _left = -1;
        _firstMs = 0;
        _walk = null;
        switch (Type)
        {
            case RecordType.Hash:
                _hash.Begin(store, limits.Hashes);
                break;
            case RecordType.List:
                _list.Begin(store, limits.Lists);
                break;
            case RecordType.Set:
                _set.Begin(store, limits.Sets);
                break;
            case RecordType.SortedSet:
                _sortedSet.Begin(store, limits.SortedSets);
                break;
            case RecordType.Stream:
                _stream.Begin(type, input, store);
                break;
            default:
                break;
        }
    }

    /// <summary>Goes on.</summary>
    /// <param name="effort">About how many elements; long ones count for several.</param>
    /// <returns>Whether the value is whole.</returns>
    /// <exception cref="RdbException">It is damaged.</exception>
    /// <exception cref="MemoryExhaustedException">There is no memory for it.</exception>
    public bool Step(int effort)
    {
        if (Type == RecordType.Stream)
        {
            return _stream.Step(effort);
        }

        if (_left < 0)
        {
            BeginParts();
        }

        while (effort > 0)
        {
            if (_walk == null && _left == 0)
            {
                return true;
            }

            var before = _input.Offset;
            if (_walk == null)
            {
                _left--;
                ReadPart();
            }
            else if (!TryAddFromBlob(out var bytes))
            {
                _walk = null;
                _input.Release();
                _first.Forget();
            }
            else
            {
                effort -= bytes / BytesPerUnit;
            }

            effort -= 1 + (int)((_input.Offset - before) / BytesPerUnit);
        }

        return _walk == null && _left == 0;
    }

    /// <summary>Makes the value, which is whole and not empty, a key's; it is told of as new.</summary>
    /// <param name="key">A key of the shard.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="expiryMs">Milliseconds since 1970, or -1.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">The key was not changed; the value is to be abandoned.</exception>
    public Record Put(in Key key, in Record existing, long expiryMs, in Change change)
    {
        if (Type != RecordType.String)
        {
            return LoaderOf(Type).Put(key, existing, expiryMs, change);
        }

        var record = StringEditor.Put(_store, key, existing, _first.In(_input), expiryMs, change);
        EndString();
        return record;
    }

    /// <summary>Gives up what was begun.</summary>
    public void Abandon()
    {
        if (Type == RecordType.String)
        {
            EndString();
            return;
        }

        LoaderOf(Type).Abandon();
        _stream.Forget();
        _input.Release();
        _first.Forget();
        _second.Forget();
    }

    /// <summary>Reads past a value.</summary>
    /// <param name="type">The number of its type and form, which was read.</param>
    /// <param name="input">Where it follows.</param>
    /// <exception cref="RdbException">It is damaged.</exception>
    public static void Skip(byte type, RdbInput input) => _ = TrySkip(type, input, long.MaxValue);

    /// <summary>Reads past a value, unless it goes on behind an offset.</summary>
    /// <returns>False if it does, where what was read of it is of no use.</returns>
    /// <inheritdoc cref="Skip"/>
    public static bool TrySkip(byte type, RdbInput input, long end)
    {
        var shape = RdbShape.Of(type, input.Offset);
        if (shape.Parts == RdbParts.Stream)
        {
            return StreamValueReader.TrySkip(type, input, end);
        }

        if (shape.HasTimes)
        {
            input.Skip(sizeof(long));
        }

        for (var left = shape.Parts == RdbParts.One ? 1 : input.ReadLength(); left > 0; left--)
        {
            if (shape.Parts == RdbParts.MarkedNodes || (shape.HasTimes && shape.Blob == RdbBlob.None))
            {
                _ = input.ReadLength();
            }

            if (!RdbString.TrySkip(input, end))
            {
                return false;
            }

            if (shape.Parts == RdbParts.Elements && shape.Type == RecordType.Hash && !RdbString.TrySkip(input, end))
            {
                return false;
            }

            if (shape.Parts == RdbParts.Elements && shape.Type == RecordType.SortedSet)
            {
                _ = shape.HasTextScores ? ReadTextScore(input) : ReadScore(input);
            }
        }

        return input.Offset <= end;
    }

    /// <summary>Gives memory back that is kept for the next values; who needs no more of them must.</summary>
    public void Free()
    {
        _first.Free();
        _second.Free();
        _hash.Free();
        _list.Free();
        _set.Free();
        _sortedSet.Free();
        _stream.Free();
    }

    private static double ReadScore(RdbInput input)
    {
        var score = BitConverter.Int64BitsToDouble(input.ReadInt64());
        return double.IsNaN(score) ? throw new RdbException("a score is no number", input.Offset) : score;
    }

    /// <summary>A score as text, whose length stands in front, or one of the words for what is no text.</summary>
    private static double ReadTextScore(RdbInput input)
    {
        var length = input.ReadByte();
        return length switch
        {
            Infinity => double.PositiveInfinity,
            MinusInfinity => double.NegativeInfinity,
            NotANumber => throw new RdbException("a score is no number", input.Offset),
            _ => ParseScore(input.Read(length), input.Offset),
        };
    }

    private static double ParseScore(ReadOnlySpan<byte> text, long offset)
        => text.Length <= LongestScore && DoubleParser.TryParse(text, out var score)
            ? score
            : throw new RdbException("a score is no number", offset);

    private CollectionLoader LoaderOf(RecordType type) => type switch
    {
        RecordType.Hash => _hash,
        RecordType.List => _list,
        RecordType.Set => _set,
        RecordType.Stream => _stream.Loader,
        _ => _sortedSet,
    };

    private BlobWalk WalkOf(RdbBlob blob) => blob switch
    {
        RdbBlob.Listpack => _listpack,
        RdbBlob.Ziplist => _ziplist,
        RdbBlob.Zipmap => _zipmap,
        _ => _intset,
    };

    private void BeginParts()
    {
        if (_shape.HasTimes)
        {
            _firstMs = _input.ReadInt64();
            if (_firstMs is < 0 or > LatestMs + 1)
            {
                throw new RdbException($"{_firstMs} ms is no time at which a field expires", _input.Offset);
            }
        }

        _left = _shape.Parts == RdbParts.One ? 1 : _input.ReadLength();
    }

    private void ReadPart()
    {
        if (_shape.Parts == RdbParts.Elements)
        {
            _input.Keep();
            ReadElement();
            _input.Release();
            return;
        }

        var isPlain = false;
        if (_shape.Parts == RdbParts.MarkedNodes)
        {
            var mark = _input.ReadLength();
            isPlain = mark == RdbFormat.PlainNode;
            if (!isPlain && mark != RdbFormat.PackedNode)
            {
                throw new RdbException($"no node of a list is of the kind {mark}", _input.Offset);
            }
        }

        var origin = _input.Offset;
        _input.Keep();
        _first.Read(_input);
        if (isPlain)
        {
            _list.Push(_first.In(_input));
            _input.Release();
            _first.Forget();
        }
        else if (_shape.Blob != RdbBlob.None)
        {
            _walk = WalkOf(_shape.Blob);
            _walk.Begin(_first.In(_input), origin);
        }
    }

    private void ReadElement()
    {
        var offset = _input.Offset;
        var expiryMs = _shape.HasTimes ? ReadFieldTime() : -1;
        _first.Read(_input);
        var isNew = true;
        switch (Type)
        {
            case RecordType.List:
                _list.Push(_first.In(_input));
                break;
            case RecordType.Set:
                isNew = _set.Add(_first.In(_input));
                break;
            case RecordType.Hash:
                _second.Read(_input);
                isNew = _hash.Add(_first.In(_input), _second.In(_input), expiryMs);
                _second.Forget();
                break;
            default:
                var score = _shape.HasTextScores ? ReadTextScore(_input) : ReadScore(_input);
                isNew = _sortedSet.Add(_first.In(_input), score);
                break;
        }

        _first.Forget();
        RequireNew(isNew, offset);
    }

    /// <summary>When the next field expires, counted from when the first one does, and from 1; 0 for never.</summary>
    private long ReadFieldTime()
    {
        var time = _input.ReadLength();
        return time == 0 ? -1
            : time <= LatestMs - _firstMs + 1 ? _firstMs + time - 1
            : throw new RdbException("a field expires later than can be", _input.Offset);
    }

    /// <summary>Adds the next element of the string that holds elements.</summary>
    /// <returns>False at its end.</returns>
    private bool TryAddFromBlob(out int bytes)
    {
        bytes = 0;
        var blob = _first.In(_input);
        if (!_walk!.TryNext(blob, out var entry))
        {
            return false;
        }

        var name = entry.AsText(_firstDigits);
        bytes = name.Length;
        var isNew = true;
        switch (Type)
        {
            case RecordType.List:
                _list.Push(name);
                break;
            case RecordType.Set:
                isNew = entry.IsInteger ? _set.Add(entry.Integer) : _set.Add(name);
                break;
            case RecordType.Hash:
                var value = NextOf(blob).AsText(_secondDigits);
                bytes += value.Length;
                isNew = _hash.Add(name, value, _shape.HasTimes ? FieldTimeOf(NextOf(blob)) : -1);
                break;
            default:
                var score = NextOf(blob);
                isNew = _sortedSet.Add(
                    name, score.IsInteger ? score.Integer : ParseScore(score.Text, _input.Offset));
                break;
        }

        RequireNew(isNew, _input.Offset);
        return true;
    }

    private BlobEntry NextOf(ReadOnlySpan<byte> blob)
        => _walk!.TryNext(blob, out var entry)
            ? entry
            : throw new RdbException("a collection ends in the midst of an element", _input.Offset);

    private long FieldTimeOf(scoped in BlobEntry time)
        => !time.IsInteger || time.Integer is < 0 or > LatestMs
            ? throw new RdbException("the time at which a field expires is none", _input.Offset)
            : time.Integer == 0 ? -1 : time.Integer;

    private static void RequireNew(bool isNew, long offset)
    {
        if (!isNew)
        {
            throw new RdbException("an element is there twice", offset);
        }
    }

    private void EndString()
    {
        _input.Release();
        _first.Forget();
    }
}
