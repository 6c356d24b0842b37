using System.Runtime.CompilerServices;
using System.Text;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Server.Resp;

/// <summary>Writes replies in RESP2 or RESP3.</summary>
public sealed unsafe class ReplyWriter : ReplyBuffer
{
    private const int LongestNumber = 24;
    private const int LineBytes = 3;

    /// <inheritdoc/>
    public ReplyWriter(ErrorCounts? errorCounts = null, MemoryBudget? budget = null, bool isSeldomUsed = false)
        : base(errorCounts, budget, isSeldomUsed)
    {
    }

    /// <summary>2 or 3; the session's.</summary>
    public int Protocol { get; set; } = 2;

    private bool IsResp3 => Protocol == 3;

    public void Ok() => Raw("+OK\r\n"u8);

    /// <summary>A simple string; it must not contain CR or LF.</summary>
    public void Simple(ReadOnlySpan<byte> text) => Line((byte)'+', text);

    /// <summary>An error, its code first: "ERR …". CR and LF become spaces.</summary>
    public void Error(ReadOnlySpan<byte> text)
    {
        var start = ReserveForError(text.Length + LineBytes);
        NoteError();
        WriteError(start, text);
    }

    /// <inheritdoc cref="Error(ReadOnlySpan{byte})"/>
    /// <remarks>Characters are bytes (Latin-1), so that echoed arguments keep theirs.</remarks>
    public void Error(string text) => Error(Encoding.Latin1.GetBytes(text));

    public void Integer(long value) => Number((byte)':', value);

    /// <summary>An error that was counted when it was first met.</summary>
    public void ErrorAgain(ReadOnlySpan<byte> text) => WriteError(ReserveForError(text.Length + LineBytes), text);

    /// <summary>A bulk string.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Bulk(ReadOnlySpan<byte> value)
    {
        var p = Reserve(value.Length + LongestNumber + 5);
        var start = p;
        *p++ = (byte)'$';
        p = WriteNumber(p, value.Length);
        *p++ = (byte)'\r';
        *p++ = (byte)'\n';
        value.CopyTo(new Span<byte>(p, value.Length));
        p += value.Length;
        *p++ = (byte)'\r';
        *p++ = (byte)'\n';
        Commit((int)(p - start));
    }

    /// <summary>A bulk string of which the value is not copied but lent, as long as nothing is written behind it.
    /// </summary>
    /// <param name="log">The log of its record.</param>
    /// <param name="record">The record.</param>
    /// <param name="worker">Who sends it.</param>
    /// <returns>False when there would be no memory for it if the client did not read: nothing was written.</returns>
    internal bool TryLend(RecordLog log, in Record record, int worker)
    {
        if (!MayLend(record.ValueLength))
        {
            return false;
        }

        Number((byte)'$', record.ValueLength);
        Lend(log, record, worker);
        return true;
    }

    /// <summary>Begins a bulk string, and asks for its memory: its bytes follow raw, then CR and LF.</summary>
    public void BeginBulk(int bytes)
    {
        _ = Reserve(bytes + LongestNumber + 5);
        Number((byte)'$', bytes);
    }

    /// <summary>A bulk string of text.</summary>
    public void Bulk(string value) => Bulk(Encoding.UTF8.GetBytes(value));

    /// <summary>An integer as a bulk string.</summary>
    public void BulkInteger(long value)
    {
        Span<byte> text = stackalloc byte[LongestNumber];
        Bulk(text[..NumberParser.Format(value, text)]);
    }

    /// <summary>Null where a bulk string would stand.</summary>
    public void Null() => Raw(IsResp3 ? "_\r\n"u8 : "$-1\r\n"u8);

    /// <summary>Null where an array would stand.</summary>
    public void NullArray() => Raw(IsResp3 ? "_\r\n"u8 : "*-1\r\n"u8);

    /// <summary>The header of an array of <paramref name="count"/> replies.</summary>
    public void Array(long count) => Number((byte)'*', count);

    /// <summary>The header of a map of <paramref name="pairs"/>; in RESP2 an array of twice as many.</summary>
    public void Map(long pairs) => Number((byte)(IsResp3 ? '%' : '*'), IsResp3 ? pairs : pairs * 2);

    /// <summary>The header of a set; in RESP2 an array.</summary>
    public void Set(long count) => Number((byte)(IsResp3 ? '~' : '*'), count);

    /// <summary>The header of a push; in RESP2 an array.</summary>
    public void Push(long count) => Number((byte)(IsResp3 ? '>' : '*'), count);

    /// <summary>A double; in RESP2 a bulk string.</summary>
    public void Double(double value)
    {
        Span<byte> buffer = stackalloc byte[DoubleFormat.MaxBytes];
        var text = buffer[..DoubleFormat.Format(value, buffer)];
        if (IsResp3)
        {
            Line((byte)',', text);
        }
        else
        {
            Bulk(text);
        }
    }

    /// <summary>A boolean; in RESP2 1 or 0.</summary>
    public void Boolean(bool value)
    {
        if (IsResp3)
        {
            Raw(value ? "#t\r\n"u8 : "#f\r\n"u8);
        }
        else
        {
            Integer(value ? 1 : 0);
        }
    }

    private void WriteError(byte* start, ReadOnlySpan<byte> text)
    {
        WriteLine(start, (byte)'-', text);
        var written = new Span<byte>(start + 1, text.Length);
        written.Replace((byte)'\r', (byte)' ');
        written.Replace((byte)'\n', (byte)' ');
    }

    private void Line(byte type, ReadOnlySpan<byte> text)
    {
        WriteLine(Reserve(text.Length + LineBytes), type, text);
    }

    private void WriteLine(byte* p, byte type, ReadOnlySpan<byte> text)
    {
        *p++ = type;
        text.CopyTo(new Span<byte>(p, text.Length));
        p += text.Length;
        *p++ = (byte)'\r';
        *p = (byte)'\n';
        Commit(text.Length + LineBytes);
    }

    /// <summary>A line of a type's first byte and a number: a whole integer, or the header of what follows raw.
    /// </summary>
    internal void Number(byte type, long value)
    {
        var start = Reserve(LongestNumber + 3);
        var p = start;
        *p++ = type;
        p = WriteNumber(p, value);
        *p++ = (byte)'\r';
        *p++ = (byte)'\n';
        Commit((int)(p - start));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* WriteNumber(byte* p, long value)
    {
        if ((ulong)value < 1000)
        {
            var v = (uint)value;
            if (v >= 100)
            {
                *p++ = (byte)('0' + (v / 100));
            }

            if (v >= 10)
            {
                *p++ = (byte)('0' + (v / 10 % 10));
            }

            *p = (byte)('0' + (v % 10));
            return p + 1;
        }

        return p + NumberParser.Format(value, new Span<byte>(p, LongestNumber));
    }
}
