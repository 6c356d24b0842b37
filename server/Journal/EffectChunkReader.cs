namespace Strata.Server.Journal;

/// <summary>
/// The consumer's side of an <see cref="EffectQueue"/>: takes what was committed from where it lies, and gives back the
/// chunks that it has read. On the journal's thread, but for what says otherwise.
/// </summary>
/// <param name="memory">Whose the chunks are.</param>
internal sealed unsafe class EffectChunkReader(EffectMemory memory)
{
    private int _position;

    /// <summary>The chunk that is read; null before there is any. The producer sets the first one.</summary>
    public EffectChunk* Head { get; set; }

    /// <summary>Bytes taken since the beginning.</summary>
    public long ReadBytes { get; private set; }

    /// <summary>Looks at the head of the next batch.</summary>
    public BatchHeader* PeekBatch() => (BatchHeader*)Peek(sizeof(BatchHeader));

    /// <summary>Takes the next batch, effect by effect.</summary>
    public void ReadBatch(IEffectReader reader)
    {
        var left = ((BatchHeader*)Take(sizeof(BatchHeader)))->Effects;
        while (left-- > 0)
        {
            var header = *(EffectHeader*)Take(sizeof(EffectHeader));
            reader.Begin(header);
            for (var bytes = header.Bytes; bytes > 0;)
            {
                var part = (int)Math.Min(bytes, Available());
                reader.Write(Take(part), part);
                bytes -= part;
            }

            reader.End();
        }

        if (Head->HasEnded && _position >= Head->Used)
        {
            GoOn();
        }
    }

    /// <summary>Gives all chunks back, read or not. Nobody else uses the queue.</summary>
    public void Clear()
    {
        while (Head != null)
        {
            var next = Head->Next;
            memory.Give(Head);
            Head = next;
        }
    }

    /// <summary>Bytes that can be read in one piece.</summary>
    private int Available()
    {
        PassEnd(1);
        return (Head->Next == null ? Head->Capacity : Head->Used) - _position;
    }

    private byte* Peek(int length)
    {
        PassEnd(length);
        return Head->Bytes + _position;
    }

    private byte* Take(int length)
    {
        var start = Peek(length);
        _position += length;
        ReadBytes += length;
        return start;
    }

    /// <summary>Goes to the next chunk where the one that is read has nothing more.</summary>
    private void PassEnd(int length)
    {
        while (_position + length > Head->Capacity || (Head->Next != null && _position >= Head->Used))
        {
            GoOn();
        }
    }

    private void GoOn()
    {
        var read = Head;
        Head = read->Next;
        _position = 0;
        memory.Give(read);
    }
}
