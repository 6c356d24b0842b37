using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>Takes replies from bytes that come in pieces; of RESP3 in the kinds of RESP2, but for pushes.</summary>
internal sealed class ReplyParser
{
    private readonly List<byte> _bytes = [];

    public void Add(ReadOnlySpan<byte> bytes) => _bytes.AddRange(bytes);

    /// <summary>Takes a reply if all of it has come.</summary>
    public bool TryTake(out RespValue reply)
    {
        var position = 0;
        if (!TryRead(ref position, out reply))
        {
            return false;
        }

        _bytes.RemoveRange(0, position);
        return true;
    }

    private bool TryRead(ref int position, out RespValue reply)
    {
        reply = null!;
        var end = _bytes.IndexOf((byte)'\n', position);
        if (end < 0)
        {
            return false;
        }

        var kind = _bytes[position];
        var line = _bytes.GetRange(position + 1, end - position - 2).ToArray();
        position = end + 1;
        switch (kind)
        {
            case (byte)'+':
                reply = new RespValue(RespKind.SimpleString, line);
                return true;
            case (byte)'-':
                reply = new RespValue(RespKind.Error, line);
                return true;
            case (byte)':':
                reply = new RespValue(RespKind.Integer, line);
                return true;
            case (byte)'$':
                return TryReadBulk(int.Parse(line, CultureInfo.InvariantCulture), ref position, out reply);
            case (byte)'>':
                var isWhole = TryReadItems(int.Parse(line, CultureInfo.InvariantCulture), ref position, out reply);
                reply = new RespValue(RespKind.Push, reply.Items);
                return isWhole;
            case (byte)'*' or (byte)'~':
                return TryReadItems(int.Parse(line, CultureInfo.InvariantCulture), ref position, out reply);
            case (byte)'%':
                return TryReadItems(2 * int.Parse(line, CultureInfo.InvariantCulture), ref position, out reply);
            case (byte)'_':
                return TryReadItems(-1, ref position, out reply);
            default:
                throw new InvalidDataException($"Not a reply: {RespPrinter.Quote(_bytes.ToArray())}");
        }
    }

    private bool TryReadBulk(int length, ref int position, out RespValue reply)
    {
        reply = new RespValue(RespKind.NullBulk, Array.Empty<byte>());
        if (length < 0)
        {
            return true;
        }

        if (_bytes.Count < position + length + 2)
        {
            return false;
        }

        reply = new RespValue(RespKind.BulkString, _bytes.GetRange(position, length).ToArray());
        position += length + 2;
        return true;
    }

    private bool TryReadItems(int count, ref int position, out RespValue reply)
    {
        reply = new RespValue(RespKind.NullArray, Array.Empty<byte>());
        if (count < 0)
        {
            return true;
        }

        var items = new RespValue[count];
        for (var i = 0; i < count; i++)
        {
            if (!TryRead(ref position, out items[i]))
            {
                return false;
            }
        }

        reply = RespValue.Array(items);
        return true;
    }
}
