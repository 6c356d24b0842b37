using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>The messages of one turn of a worker in one version of the protocol: each is written once, and all
/// receivers are sent the same bytes.</summary>
internal sealed unsafe class PushBuffer : IDisposable
{
    // The words, numbers and line ends around the parts of a message.
    private const int Overhead = 128;

    private int _start;

    public PushBuffer(MemoryBudget budget, int protocol)
    {
        Writer = new ReplyWriter(budget: budget) { Protocol = protocol };
    }

    /// <summary>Holds the messages.</summary>
    public ReplyWriter Writer { get; }

    /// <summary>Bytes of the current message; 0 before it is written.</summary>
    public int Length => Writer.Length - _start;

    /// <summary>Where the current message begins.</summary>
    public int Start => _start;

    /// <summary>The current message.</summary>
    public ReadOnlySpan<byte> Current => new(Writer.Start + _start, Length);

    /// <summary>Whether a message of so many bytes can be written.</summary>
    public bool HasRoom(long bytes) => Writer.Length + bytes + Overhead <= int.MaxValue;

    /// <summary>Begins another message.</summary>
    public void Next() => _start = Writer.Length;

    /// <summary>Writes the current message, of a channel.</summary>
    public void Write(ReadOnlySpan<byte> word, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message)
    {
        Writer.Push(3);
        Writer.Bulk(word);
        Writer.Bulk(channel);
        Writer.Bulk(message);
    }

    /// <summary>Writes the current message, of a channel that matches a pattern.</summary>
    public void Write(
        ReadOnlySpan<byte> word, ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> message)
    {
        Writer.Push(4);
        Writer.Bulk(word);
        Writer.Bulk(pattern);
        Writer.Bulk(channel);
        Writer.Bulk(message);
    }

    /// <summary>Writes the current message: that a key has changed.</summary>
    public void WriteInvalidation(ReadOnlySpan<byte> key)
    {
        BeginInvalidation(keys: 1);
        Writer.Bulk(key);
    }

    /// <summary>Begins the current message: that some keys, which follow, have changed.</summary>
    public void BeginInvalidation(int keys)
    {
        BeginInvalidation();
        Writer.Array(keys);
    }

    /// <summary>Writes the current message: that any key may have changed.</summary>
    public void WriteInvalidationOfAll()
    {
        BeginInvalidation();
        Writer.Null();
    }

    /// <summary>Writes the current message: that the client has gone which is told in this one's place.</summary>
    public void WriteRedirectionBroken(long client)
    {
        Writer.Push(2);
        Writer.Bulk("tracking-redir-broken"u8);
        Writer.Integer(client);
    }

    /// <summary>Takes back what was written of the current message.</summary>
    public void Undo() => Writer.Rewind(_start);

    /// <summary>Forgets all messages.</summary>
    public void Clear()
    {
        Writer.Clear();
        _start = 0;
    }

    /// <inheritdoc/>
    public void Dispose() => Writer.Dispose();

    /// <summary>In RESP2 it comes as a message of a channel.</summary>
    private void BeginInvalidation()
    {
        if (Writer.Protocol == 3)
        {
            Writer.Push(2);
            Writer.Bulk("invalidate"u8);
        }
        else
        {
            Writer.Array(3);
            Writer.Bulk("message"u8);
            Writer.Bulk("__redis__:invalidate"u8);
        }
    }
}
