using System.Buffers.Text;
using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage;

namespace Strata.Server.Journal;

/// <summary>
/// Effects on their way from a shard to the journal's thread: a queue of bytes in native memory with one producer (who
/// holds the shard's lease) and one consumer (the thread). Effects become visible by <see cref="Commit"/>, all since
/// the last one as a batch under one sequence number; until then they may be taken back. Every byte is charged.
/// Layout: a batch is a <see cref="BatchHeader"/> and its effects, each an <see cref="EffectHeader"/> and RESP. Headers
/// lie in one chunk, whose rest may stay unused; RESP goes on in the next chunk.
/// </summary>
internal sealed unsafe class EffectQueue : ICommandEffects, IDisposable
{
    // Of a number of 64 bits, with its sign.
    private const int MostDigits = 20;

    // Of an argument's header and its end.
    private const int MostFraming = 1 + MostDigits + 2 + 2;

    private readonly EffectJournal _journal;
    private readonly EffectMemory _memory;
    private readonly bool _commitsUnits;
    private readonly ulong[] _touched = new ulong[ServerLimits.TouchedKeysPerBatch];
    private int _touchedCount;

    // The producer's.
    private EffectChunk* _tail;
    private int _position;
    private long _written;
    private BatchHeader* _batch;
    private EffectHeader* _effect;
    private int _argumentsLeft;
    private int _unitEffects;
    private int _unitDepth;
    private bool _isDropping;
    private EffectMark _unitStart;

    // What both look at.
    private long _committed;

    // The consumer's.
    private readonly EffectChunkReader _reader;

    /// <summary>An empty queue, which holds no memory.</summary>
    /// <param name="journal">Where its effects go.</param>
    /// <param name="commitsUnits">Whether each unit is made visible when it ends, and not only with the lease that it
    /// was made under: where leases are not taken.</param>
    public EffectQueue(EffectJournal journal, bool commitsUnits)
    {
        _journal = journal;
        _memory = journal.Memory;
        _reader = new EffectChunkReader(_memory);
        _commitsUnits = commitsUnits;
    }

    /// <summary>Whether an effect was told since the command at work began, in its place.</summary>
    public bool IsReplaced { get; private set; }

    /// <summary>Whether something was changed since the command at work began, by it.</summary>
    public bool IsChanged { get; private set; }

    /// <summary>The sequence number of the newest batch.</summary>
    public long LastSequence { get; private set; }

    /// <summary>Whether a command, or what belongs together with it, is at work.</summary>
    public bool IsInUnit => _unitDepth > 0;

    /// <summary>What follows until <see cref="EndUnit"/> is one: all of it is repeated later, or nothing. Units may
    /// nest.</summary>
    public void BeginUnit()
    {
        if (_unitDepth++ == 0)
        {
            _unitEffects = 0;
            _unitStart.Chunk = _tail;
            _unitStart.Position = _position;
            _unitStart.Written = _written;
            _unitStart.Batch = _batch;
            _unitStart.BatchEffects = _batch == null ? 0 : _batch->Effects;
        }
    }

    /// <summary>Ends a unit.</summary>
    public void EndUnit()
    {
        Invariant.Check(_unitDepth > 0, "a unit of effects that ends has begun");
        if (--_unitDepth > 0)
        {
            return;
        }

        if (_isDropping)
        {
            _isDropping = false;
            DropUnit();
            _journal.RequireBase();
        }

        if (_unitEffects > 0)
        {
            _effect->Flags |= EffectFlags.LastOfUnit;
        }

        if (_commitsUnits)
        {
            Commit();
        }
    }

    /// <summary>Takes back what the unit at work has told: nobody is to see it.</summary>
    public void DropUnit()
    {
        Rewind(_unitStart);
        _unitEffects = 0;
    }

    /// <summary>A command begins, within a unit.</summary>
    /// <param name="database">The database that it is for, by the clients' number.</param>
    public void BeginCommand(int database)
    {
        Database = database;
        IsReplaced = false;
        IsChanged = false;
    }

    /// <summary>A command ends: by its own name, and otherwise as it was sent, if it has changed something, and nothing
    /// was told in its place.</summary>
    public void EndCommand(CommandRow row, in Request request)
    {
        if (!IsChanged || IsReplaced)
        {
            return;
        }

        BeginEffect(request.Count, Database);
        Argument((row.Container ?? row).Verb);
        for (var i = 1; i < request.Count; i++)
        {
            Argument(request[i]);
        }
    }

    /// <inheritdoc/>
    public void MarkChanged() => IsChanged = true;

    /// <summary>A key is changed by what is told.</summary>
    public void Touch(ulong hash)
    {
        if (_touchedCount < ServerLimits.TouchedKeysPerBatch)
        {
            _touched[_touchedCount] = hash;
        }

        _touchedCount++;
    }

    /// <summary>All keys may be changed by what is told.</summary>
    public void TouchAll() => _touchedCount = ServerLimits.TouchedKeysPerBatch + 1;

    /// <summary>The database of the command at work, by the clients' number.</summary>
    public int Database { get; private set; }

    /// <inheritdoc/>
    public void Begin(int count, ReadOnlySpan<byte> verb)
    {
        IsReplaced = true;
        BeginEffect(count, Database);
        Argument(verb);
    }

    /// <summary>Begins an effect.</summary>
    /// <param name="count">Its arguments with the verb, which follow.</param>
    /// <param name="database">The database it is for, by the clients' number.</param>
    public void BeginEffect(int count, int database)
    {
        var hasBegun = TryBeginEffect(database);
        _argumentsLeft = count;
        if (hasBegun)
        {
            WriteHeader((byte)'*', count);
        }
    }

    /// <inheritdoc/>
    public void Written(ReadOnlySpan<byte> effect)
    {
        IsReplaced = true;
        if (TryBeginEffect(Database))
        {
            Write(effect, default);
        }
    }

    /// <inheritdoc/>
    public void Argument(ReadOnlySpan<byte> argument)
    {
        Invariant.Check(_argumentsLeft > 0, "an effect has as many arguments as it began with");
        _argumentsLeft--;
        if (_isDropping)
        {
            return;
        }

        if (_tail->Capacity - _position < argument.Length + MostFraming)
        {
            WriteHeader((byte)'$', argument.Length);
            Write(argument, "\r\n"u8);
            return;
        }

        // In one piece, where there is room: most of what an effect costs is here.
        var start = _tail->Bytes + _position;
        var position = WriteHeader(start, (byte)'$', argument.Length);
        argument.CopyTo(new Span<byte>(position, argument.Length));
        Advance((int)(WriteEnd(position + argument.Length) - start));
    }

    /// <inheritdoc/>
    public void Argument(long number)
    {
        Span<byte> digits = stackalloc byte[MostDigits];
        _ = Utf8Formatter.TryFormat(number, digits, out var length);
        Argument(digits[..length]);
    }

    /// <summary>Makes all effects since the last time visible, under a sequence number that is drawn now: the leases of
    /// all shards that they have to do with are held.</summary>
    public void Commit()
    {
        if (_batch == null || _unitDepth > 0)
        {
            return;
        }

        LastSequence = _journal.NextSequence();
        _batch->Sequence = LastSequence;
        _batch = null;
        MarkTouched();
        if (_tail->Capacity > ServerLimits.EffectChunkBytes)
        {
            EndLargeChunk();
        }

        Volatile.Write(ref _committed, _written);
    }

    /// <summary>Whether there is a batch, and its sequence number. The consumer's.</summary>
    public bool TryPeek(out long sequence)
    {
        if (Volatile.Read(ref _committed) == _reader.ReadBytes)
        {
            sequence = 0;
            return false;
        }

        sequence = _reader.PeekBatch()->Sequence;
        return true;
    }

    /// <summary>Takes the batch that <see cref="TryPeek"/> has found, effect by effect.</summary>
    public void Read(IEffectReader reader) => _reader.ReadBatch(reader);

    /// <inheritdoc/>
    public void Dispose()
    {
        _reader.Clear();
        _tail = null;
    }

    /// <summary>Notes for their readers in which batch the keys are.</summary>
    private void MarkTouched()
    {
        if (_touchedCount > 0 && _journal.Unsynced is { } unsynced)
        {
            if (_touchedCount > ServerLimits.TouchedKeysPerBatch)
            {
                unsynced.MarkAll(LastSequence);
            }
            else
            {
                foreach (var hash in _touched.AsSpan(0, _touchedCount))
                {
                    unsynced.Mark(hash, LastSequence);
                }
            }
        }

        _touchedCount = 0;
    }

    private void WriteHeader(byte kind, int number)
    {
        var text = stackalloc byte[MostFraming];
        var length = (int)(WriteHeader(text, kind, number) - text);
        Write(new ReadOnlySpan<byte>(text, length - 2), "\r\n"u8);
    }

    /// <summary>Writes a kind, a number that is not negative, and the end of the line.</summary>
    /// <returns>Behind them.</returns>
    private static byte* WriteHeader(byte* target, byte kind, int number)
    {
        *target++ = kind;
        if (number < 10)
        {
            *target++ = (byte)('0' + number);
        }
        else
        {
            _ = Utf8Formatter.TryFormat(number, new Span<byte>(target, MostDigits), out var digits);
            target += digits;
        }

        return WriteEnd(target);
    }

    private static byte* WriteEnd(byte* target)
    {
        target[0] = (byte)'\r';
        target[1] = (byte)'\n';
        return target + 2;
    }

    private bool TryBeginEffect(int database)
    {
        Invariant.Check(_argumentsLeft == 0 && _unitDepth > 0, "an effect begins within a unit, behind the last one");
        if (!TryMakeHeaders())
        {
            return false;
        }

        // Field by field: a header that is made elsewhere and copied is read back whole when it was just written in
        // parts, which waits until the value that the command has stored before, mostly to memory that is in no cache,
        // has gone there.
        _effect->Bytes = 0;
        _effect->Database = (ushort)database;
        _effect->Flags = _unitEffects == 0 ? EffectFlags.FirstOfUnit : EffectFlags.None;
        _batch->Effects++;
        _unitEffects++;
        return true;
    }

    /// <summary>Makes the headers of an effect.</summary>
    /// <returns>False when there is no memory for them.</returns>
    private bool TryMakeHeaders()
    {
        if (_isDropping)
        {
            return false;
        }

        if (_batch == null)
        {
            _batch = (BatchHeader*)Reserve(sizeof(BatchHeader));
            if (_batch == null)
            {
                return false;
            }

            *_batch = default;
        }

        _effect = (EffectHeader*)Reserve(sizeof(EffectHeader));
        return _effect != null;
    }

    /// <summary>Adds bytes to the effect, and others behind them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Write(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> end)
    {
        var length = bytes.Length + end.Length;
        if (_isDropping || _tail->Capacity - _position < length)
        {
            WriteOver(bytes, end);
            return;
        }

        var target = new Span<byte>(_tail->Bytes + _position, length);
        bytes.CopyTo(target);
        end.CopyTo(target[bytes.Length..]);
        Advance(length);
    }

    /// <summary>Bytes of the effect were written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Advance(int bytes)
    {
        _position += bytes;
        _written += bytes;
        _effect->Bytes += bytes;
    }

    private void WriteOver(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> end)
    {
        if (_isDropping)
        {
            return;
        }

        var fits = Math.Min(bytes.Length, _tail->Capacity - _position);
        bytes[..fits].CopyTo(new Span<byte>(_tail->Bytes + _position, fits));
        Advance(fits);
        var rest = bytes[fits..];
        if (TryAddChunk(rest.Length + end.Length))
        {
            Write(rest, end);
        }
    }

    /// <summary>Room for a header, in one piece; null when there is no memory.</summary>
    private byte* Reserve(int length)
    {
        if ((_tail == null || _tail->Capacity - _position < length) && !TryAddChunk(length))
        {
            return null;
        }

        var start = _tail->Bytes + _position;
        _position += length;
        _written += length;
        return start;
    }

    /// <summary>Goes on in another chunk. Without memory for one the unit at work is dropped: what it has done is done,
    /// and only a new base can tell of it.</summary>
    private bool TryAddChunk(int least)
    {
        var chunk = _memory.TryTake(least);
        if (chunk == null)
        {
            _isDropping = true;
            return false;
        }

        Append(chunk);
        return true;
    }

    /// <summary>What follows goes to another chunk, so that a large one is given back as soon as it was read.</summary>
    private void EndLargeChunk()
    {
        var chunk = _memory.TryTake(sizeof(BatchHeader));
        if (chunk != null)
        {
            _tail->HasEnded = true;
            Append(chunk);
        }
    }

    private void Append(EffectChunk* chunk)
    {
        chunk->Next = null;
        chunk->Used = 0;
        chunk->HasEnded = false;
        if (_tail == null)
        {
            _reader.Head = chunk;
        }
        else
        {
            _tail->Used = _position;
            _tail->Next = chunk;
        }

        _tail = chunk;
        _position = 0;
    }

    private void Rewind(in EffectMark mark)
    {
        // Of a queue that had no memory the first chunk stays.
        var keep = mark.Chunk == null ? _reader.Head : mark.Chunk;
        for (var chunk = keep == null ? null : keep->Next; chunk != null;)
        {
            var next = chunk->Next;
            _memory.Give(chunk);
            chunk = next;
        }

        if (keep != null)
        {
            keep->Next = null;
        }

        _tail = keep;
        _position = mark.Position;
        _written = mark.Written;
        _batch = mark.Batch;
        _argumentsLeft = 0;
        if (_batch != null)
        {
            _batch->Effects = mark.BatchEffects;
        }
    }
}
