using System.Buffers.Text;

namespace Strata.Bench.Load;

/// <summary>
/// Reads RESP2 replies from a stream of bytes as far as a load generator needs to: finds where each ends, counts
/// values, nulls and errors and sums up integers, but keeps nothing. A reply may be cut anywhere: only an unfinished
/// line is left over, to be offered again with what follows. Replies are lines, bulk strings and arrays.
/// </summary>
internal struct ReplyReader
{
    private long _payloadBytesLeft;
    private long _elementsLeft;

    /// <summary>
    /// Takes bytes off the front of <paramref name="input"/> until one reply is complete (true) or more are needed
    /// (false; what remains in <paramref name="input"/> is the start of a line).
    /// </summary>
    /// <exception cref="BenchException">The bytes are not such a reply.</exception>
    public bool TryRead(ref ReadOnlySpan<byte> input, ReplyTally tally)
    {
        while (true)
        {
            if (_payloadBytesLeft > 0)
            {
                var skipped = (int)Math.Min(_payloadBytesLeft, input.Length);
                input = input[skipped..];
                _payloadBytesLeft -= skipped;
                if (_payloadBytesLeft > 0)
                {
                    return false;
                }
            }
            else
            {
                var end = input.IndexOf((byte)'\n');
                if (end < 0)
                {
                    return false;
                }

                var line = input[..end].TrimEnd((byte)'\r');
                input = input[(end + 1)..];
                if (!EndsElement(line, tally))
                {
                    continue;
                }
            }

            if (_elementsLeft == 0 || --_elementsLeft == 0)
            {
                return true;
            }
        }
    }

    // Whether the line is a whole element: a bulk string's payload or an array's elements are still to come otherwise.
    private bool EndsElement(ReadOnlySpan<byte> line, ReplyTally tally)
    {
        switch (line.IsEmpty ? 0 : line[0])
        {
            case (byte)'+':
                return true;
            case (byte)':':
                tally.IntegerSum += Number(line, least: long.MinValue);
                return true;
            case (byte)'-':
                tally.AddError(line[1..]);
                return true;
            case (byte)'$':
                var sizeBytes = Number(line, least: -1);
                if (sizeBytes < 0)
                {
                    tally.Misses++;
                    return true;
                }

                tally.Hits++;
                _payloadBytesLeft = sizeBytes + "\r\n".Length;
                return false;
            case (byte)'*':
                // The elements of an array within another count in its place.
                var elements = Math.Max(0, Number(line, least: -1));
                _elementsLeft += elements == 0 || _elementsLeft == 0 ? elements : elements - 1;
                return elements == 0;
            default:
                throw NotRedis(line);
        }
    }

    private static long Number(ReadOnlySpan<byte> line, long least) =>
        Utf8Parser.TryParse(line[1..], out long number, out var used) && used == line.Length - 1 && number >= least
            ? number
            : throw NotRedis(line);

    private static BenchException NotRedis(ReadOnlySpan<byte> line)
    {
        var shown = System.Text.Encoding.UTF8.GetString(line[..Math.Min(line.Length, 60)]);
        return new BenchException(
            $"The server answered '{shown}', which is no RESP2 reply: check the host and the port.");
    }
}
