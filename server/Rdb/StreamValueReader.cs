using System.Buffers.Binary;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>Reads streams (<see cref="StreamValueWriter"/>) of every version, in as many steps as the caller wants.
/// What is wrong is an <see cref="RdbException"/>.</summary>
internal sealed class StreamValueReader
{
    // Bytes that are read in about the time an element takes by itself.
    private const int BytesPerUnit = 128;
    private const int IdBytes = 16;

    // An entry's flags in a listpack.
    private const int Deleted = 1;
    private const int SameFields = 2;
    private const int KnownFlags = Deleted | SameFields;

    private readonly RdbString _text;
    private readonly ListpackWalk _listpack = new();
    private readonly byte[] _digits = new byte[CanonicalInteger.MaxBytes];
    private RdbInput _input = null!;
    private byte _type;
    private Stage _stage;

    // Of a block that is being read: its first id, how many entries it has and how many follow, deleted ones too.
    private StreamId _firstId;
    private StreamId _lastId;
    private long _blockEntries;
    private long _blockDeleted;
    private long _deleted;
    private long _entriesLeft;
    private long _fields;

    // What was not read yet of each kind.
    private long _blocksLeft;
    private long _groupsLeft;
    private long _pendingLeft;
    private long _consumersLeft;
    private long _ownLeft;

    /// <summary>Nothing to read yet.</summary>
    /// <param name="budget">What is charged.</param>
    public StreamValueReader(MemoryBudget budget)
    {
        _text = new RdbString(budget);
        Loader = new StreamLoader(budget);
    }

    private enum Stage
    {
        Begin,
        Blocks,
        Entries,
        Meta,
        Groups,
        Pending,
        Consumers,
        Own,
        End,
    }

    /// <summary>The stream.</summary>
    public StreamLoader Loader { get; }

    /// <summary>Begins with a stream.</summary>
    /// <param name="type">The number of its form.</param>
    /// <param name="input">Where it follows.</param>
    /// <param name="store">The shard that it is for.</param>
    public void Begin(byte type, RdbInput input, CollectionStore store)
    {
        _type = type;
        _input = input;
        _stage = Stage.Begin;
        Loader.Begin(store);
    }

    /// <summary>Goes on.</summary>
    /// <param name="effort">About how many elements; long ones count for several.</param>
    /// <returns>Whether the stream is whole.</returns>
    public bool Step(int effort)
    {
        while (effort > 0 && _stage != Stage.End)
        {
            var before = _input.Offset;
            effort -= 1 + (StepStage() / BytesPerUnit);
            effort -= (int)Math.Min((_input.Offset - before) / BytesPerUnit, effort);
        }

        return _stage == Stage.End;
    }

    /// <summary>Gives up what was begun.</summary>
    public void Forget() => _text.Forget();

    /// <summary>Gives memory back that is kept for the next streams.</summary>
    public void Free()
    {
        _text.Free();
        Loader.Free();
    }

    /// <inheritdoc cref="RdbValueReader.TrySkip"/>
    public static bool TrySkip(byte type, RdbInput input, long end)
    {
        for (var left = input.ReadLength(); left > 0; left--)
        {
            if (!RdbString.TrySkip(input, end) || !RdbString.TrySkip(input, end))
            {
                return false;
            }
        }

        for (var left = type == RdbType.Stream ? 3 : 8; left > 0; left--)
        {
            _ = input.ReadNumber();
        }

        for (var left = input.ReadLength(); left > 0; left--)
        {
            if (!TrySkipGroup(type, input, end))
            {
                return false;
            }
        }

        return input.Offset <= end;
    }

    private static bool TrySkipGroup(byte type, RdbInput input, long end)
    {
        if (!RdbString.TrySkip(input, end))
        {
            return false;
        }

        for (var left = type == RdbType.Stream ? 2 : 3; left > 0; left--)
        {
            _ = input.ReadNumber();
        }

        for (var left = input.ReadLength(); left > 0 && input.Offset <= end; left--)
        {
            input.Skip(IdBytes + sizeof(long));
            _ = input.ReadNumber();
        }

        for (var left = input.ReadLength(); left > 0; left--)
        {
            if (!RdbString.TrySkip(input, end))
            {
                return false;
            }

            input.Skip(type == RdbType.Stream3 ? 2 * sizeof(long) : sizeof(long));
            var own = input.ReadLength();
            if (own > (end - input.Offset) / IdBytes)
            {
                return false;
            }

            input.Skip(own * IdBytes);
        }

        return input.Offset <= end;
    }

    /// <returns>Bytes of what is at hand that were gone through.</returns>
    private int StepStage()
    {
        switch (_stage)
        {
            case Stage.Begin:
                _blocksLeft = _input.ReadLength();
                _stage = Stage.Blocks;
                break;
            case Stage.Blocks when _blocksLeft > 0:
                _blocksLeft--;
                BeginBlock();
                break;
            case Stage.Blocks:
                ReadMeta();
                break;
            case Stage.Entries:
                return ReadEntry();
            case Stage.Groups when _groupsLeft > 0:
                _groupsLeft--;
                BeginGroup();
                break;
            case Stage.Groups:
                _stage = Stage.End;
                break;
            case Stage.Pending:
                ReadPending();
                break;
            case Stage.Consumers:
                BeginConsumer();
                break;
            default:
                ReadOwn();
                break;
        }

        return 0;
    }

    private RdbException Damaged(string problem) => new($"a stream is damaged: {problem}", _input.Offset);

    private StreamId ReadId()
    {
        var bytes = _input.Read(IdBytes);
        return IdOf(bytes);
    }

    private static StreamId IdOf(ReadOnlySpan<byte> bytes)
        => new(BinaryPrimitives.ReadUInt64BigEndian(bytes),
            BinaryPrimitives.ReadUInt64BigEndian(bytes[sizeof(ulong)..]));

    private StreamId ReadNumbers()
    {
        var ms = _input.ReadNumber();
        return new StreamId(ms, _input.ReadNumber());
    }

    private void BeginBlock()
    {
        _input.Keep();
        _text.Read(_input);
        var id = _text.In(_input);
        if (id.Length != IdBytes)
        {
            throw Damaged($"an id of {id.Length} bytes");
        }

        _firstId = IdOf(id);
        _lastId = _firstId;
        _text.Forget();
        _input.Release();
        var origin = _input.Offset;
        _input.Keep();
        _text.Read(_input);
        _listpack.Begin(_text.In(_input), origin);
        _blockEntries = NextInteger();
        _blockDeleted = NextInteger();
        _deleted = _blockDeleted;
        _fields = NextInteger();
        if (_blockEntries < 0 || _blockDeleted < 0 || _fields < 0 || _blockEntries > long.MaxValue - _blockDeleted)
        {
            throw Damaged("a block has fewer entries or fields than none");
        }

        GatherTexts(_fields);
        if (NextInteger() != 0)
        {
            throw Damaged("a block's fields do not end");
        }

        if (!Loader.TryBeginBlock(_firstId))
        {
            throw Damaged("blocks are not in order");
        }

        _entriesLeft = _blockEntries + _blockDeleted;
        _stage = Stage.Entries;
    }

    private int ReadEntry()
    {
        if (_entriesLeft == 0)
        {
            EndBlock();
            return 0;
        }

        _entriesLeft--;
        var flags = NextInteger();
        var ms = (ulong)NextInteger();
        var id = new StreamId(_firstId.Ms + ms, _firstId.Seq + (ulong)NextInteger());
        _lastId = id;
        if ((flags & ~KnownFlags) != 0)
        {
            throw Damaged($"an entry with the flags {flags}");
        }

        var hasOwnFields = (flags & SameFields) == 0;
        var fields = hasOwnFields ? NextInteger() : _fields;
        if (fields < 0 || fields > int.MaxValue / 2)
        {
            throw Damaged($"an entry of {fields} fields");
        }

        var bytes = GatherTexts(hasOwnFields ? 2 * fields : fields);
        if (NextInteger() != 3 + (hasOwnFields ? 1 + (2 * fields) : fields))
        {
            throw Damaged("an entry does not end where it should");
        }

        if ((flags & Deleted) != 0)
        {
            _blockDeleted--;
            return bytes;
        }

        _blockEntries--;
        if (!Loader.TryAddEntry(id, hasOwnFields))
        {
            throw Damaged("entries are not in order");
        }

        return bytes;
    }

    private void EndBlock()
    {
        var blob = _text.In(_input);
        if (_blockEntries != 0 || _blockDeleted != 0 || _listpack.TryNext(blob, out _))
        {
            throw Damaged("a block has not as many entries as it says");
        }

        Loader.EndBlock(_deleted, _lastId, blob.Length);
        _text.Forget();
        _input.Release();
        _stage = Stage.Blocks;
    }

    private void ReadMeta()
    {
        var count = _input.ReadLength();
        var lastId = ReadNumbers();
        var maxDeletedId = StreamId.Min;
        var added = count;
        if (_type != RdbType.Stream)
        {
            _ = ReadNumbers();
            maxDeletedId = ReadNumbers();
            added = (long)Math.Min(_input.ReadNumber(), long.MaxValue); // Redis counts on beyond what it can be told.
        }

        if (count != Loader.Count || !Loader.TrySetIds(lastId, maxDeletedId, added))
        {
            throw Damaged("its entries are not those that it counts");
        }

        _groupsLeft = _input.ReadLength();
        _stage = Stage.Groups;
    }

    private void BeginGroup()
    {
        _input.Keep();
        _text.Read(_input);
        var lastId = ReadNumbers();
        var read = _type == RdbType.Stream ? Loader.CountUpTo(lastId) : ReadEntriesRead();
        if (!Loader.TryAddGroup(_text.In(_input), lastId, read))
        {
            throw Damaged("a group is there twice");
        }

        _text.Forget();
        _input.Release();
        _pendingLeft = _input.ReadLength();
        _stage = Stage.Pending;
    }

    /// <summary>How many entries a group has read; less than none, to which Redis comes by counting on, says nothing.
    /// </summary>
    private long ReadEntriesRead() => Math.Max((long)_input.ReadNumber(), StreamLoader.Unknown);

    private void ReadPending()
    {
        if (_pendingLeft == 0)
        {
            _consumersLeft = _input.ReadLength();
            _stage = Stage.Consumers;
            return;
        }

        _pendingLeft--;
        var id = ReadId();
        var deliveredMs = _input.ReadInt64();
        if (!Loader.TryAddPending(id, deliveredMs, (long)_input.ReadNumber()))
        {
            throw Damaged("an entry is pending twice");
        }
    }

    private void BeginConsumer()
    {
        if (_consumersLeft == 0)
        {
            if (!Loader.TryEndGroup())
            {
                throw Damaged("an entry is pending for nobody");
            }

            _stage = Stage.Groups;
            return;
        }

        _consumersLeft--;
        _input.Keep();
        _text.Read(_input);
        var seenMs = _input.ReadInt64();
        var activeMs = _type == RdbType.Stream3 ? _input.ReadInt64() : seenMs;
        if (!Loader.TryAddConsumer(_text.In(_input), seenMs, activeMs))
        {
            throw Damaged("a consumer is there twice");
        }

        _text.Forget();
        _input.Release();
        _ownLeft = _input.ReadLength();
        _stage = Stage.Own;
    }

    private void ReadOwn()
    {
        if (_ownLeft == 0)
        {
            _stage = Stage.Consumers;
            return;
        }

        _ownLeft--;
        if (!Loader.TryAssign(ReadId()))
        {
            throw Damaged("a consumer has what is not pending, or is another's");
        }
    }

    private long NextInteger()
        => _listpack.TryNext(_text.In(_input), out var entry) && entry.IsInteger
            ? entry.Integer
            : throw Damaged("a number is expected in a block");

    /// <summary>Gathers the next texts for the loader.</summary>
    /// <returns>Their bytes.</returns>
    private int GatherTexts(long count)
    {
        Loader.BeginTexts();
        var bytes = 0;
        for (; count > 0; count--)
        {
            if (!_listpack.TryNext(_text.In(_input), out var entry))
            {
                throw Damaged("a block ends in the midst of an entry");
            }

            var text = entry.AsText(_digits);
            Loader.AddText(text);
            bytes += text.Length;
        }

        return bytes;
    }
}
