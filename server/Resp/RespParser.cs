using System.Runtime.CompilerServices;

namespace Strata.Server.Resp;

/// <summary>
/// Reads one command (RESP array of bulk strings, or an inline command) in place. Pure: bytes and state in, argument
/// positions and state out. It may be called again with more bytes of the same command and goes on where it was.
/// Source: the Redis serialization protocol specification, and Redis's networking.c for what it accepts.
/// </summary>
public static unsafe class RespParser
{
    private const int HeaderLineBytes = 64 << 10; // How long Redis waits for the end of a '*' or '$' line.

    /// <summary>Reads on from <paramref name="state"/>.</summary>
    /// <param name="input">The command's first byte.</param>
    /// <param name="length">Bytes there are.</param>
    /// <param name="state">Where the parser is; zero for a new command.</param>
    /// <param name="arguments">Arguments are added here.</param>
    /// <param name="limits">What is accepted from this client.</param>
    public static ParseStatus Parse(
        byte* input, int length, ref ParseState state, ArgumentBuffer arguments, in RespLimits limits)
    {
        if (state.ArgumentsLeft == 0)
        {
            if (length == 0)
            {
                return ParseStatus.NeedMore;
            }

            if (*input != (byte)'*')
            {
                return InlineParser.Parse(input, length, ref state, arguments);
            }

            var status = ParseHeader(input, length, ref state, limits);
            if (status != ParseStatus.Complete || state.ArgumentsLeft == 0)
            {
                return status;
            }
        }

        return ParseArguments(input, length, ref state, arguments, limits);
    }

    private static ParseStatus ParseHeader(byte* input, int length, ref ParseState state, in RespLimits limits)
    {
        var status = ReadNumber(input, length, 0, out var count, out var next);
        if (status == ParseStatus.NeedMore)
        {
            return length > HeaderLineBytes ? Fail(ref state, ProtocolError.TooBigMultibulkCount) : status;
        }

        if (status == ParseStatus.Error || count > ServerLimits.MaxArguments)
        {
            return Fail(ref state, ProtocolError.InvalidMultibulkLength);
        }

        if (count > limits.MaxArguments)
        {
            return Fail(ref state, ProtocolError.UnauthenticatedMultibulkLength);
        }

        state.Position = next;
        state.ArgumentsLeft = (int)Math.Max(count, 0); // "*0" and "*-1" are commands without arguments: nothing to do.
        return ParseStatus.Complete;
    }

    private static ParseStatus ParseArguments(
        byte* input, int length, ref ParseState state, ArgumentBuffer arguments, in RespLimits limits)
    {
        while (state.ArgumentsLeft > 0)
        {
            if (state.BulkLengthPlusOne == 0)
            {
                var status = ParseBulkHeader(input, length, ref state, limits);
                if (status != ParseStatus.Complete)
                {
                    return status;
                }
            }

            var bulkLength = state.BulkLengthPlusOne - 1;
            if ((long)length - state.Position < (long)bulkLength + 2)
            {
                return ParseStatus.NeedMore;
            }

            arguments.Add(state.Position, bulkLength);
            state.Position += bulkLength + 2; // Like Redis, without looking at the two bytes that should be CR LF.
            state.BulkLengthPlusOne = 0;
            state.ArgumentsLeft--;
        }

        return ParseStatus.Complete;
    }

    private static ParseStatus ParseBulkHeader(byte* input, int length, ref ParseState state, in RespLimits limits)
    {
        var position = state.Position;
        if (position >= length)
        {
            return ParseStatus.NeedMore;
        }

        // Redis waits for the whole line before it looks at the first byte.
        var status = ReadNumber(input, length, position, out var bulkLength, out var next);
        if (status == ParseStatus.NeedMore)
        {
            return length - position > HeaderLineBytes ? Fail(ref state, ProtocolError.TooBigBulkCount) : status;
        }

        if (input[position] != (byte)'$')
        {
            state.Found = input[position];
            return Fail(ref state, ProtocolError.ExpectedDollar);
        }

        if (status == ParseStatus.Error || bulkLength < 0 || bulkLength > limits.MaxBulkBytes)
        {
            return Fail(ref state, ProtocolError.InvalidBulkLength);
        }

        if (bulkLength > limits.MaxUnauthenticatedBulkBytes)
        {
            return Fail(ref state, ProtocolError.UnauthenticatedBulkLength);
        }

        state.Position = next;
        state.BulkLengthPlusOne = (int)bulkLength + 1;
        return ParseStatus.Complete;
    }

    /// <summary>Reads the decimal number between the type byte at <paramref name="position"/> and CR LF.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ParseStatus ReadNumber(byte* input, int length, int position, out long number, out int next)
    {
        // The common case: one to three digits and CR LF.
        number = 0;
        var i = position + 1;
        for (; i < length; i++)
        {
            var digit = (uint)(input[i] - '0');
            if (digit > 9)
            {
                break;
            }

            number = (number * 10) + digit;
            if (i - position > 10)
            {
                return ReadLongNumber(input, length, position, out number, out next);
            }
        }

        next = i + 2;
        var isCanonical = i == position + 2 || (i > position + 1 && input[position + 1] != '0');
        if (isCanonical && i + 1 < length && input[i] == '\r')
        {
            return ParseStatus.Complete;
        }

        return ReadLongNumber(input, length, position, out number, out next);
    }

    private static ParseStatus ReadLongNumber(byte* input, int length, int position, out long number, out int next)
    {
        var rest = new ReadOnlySpan<byte>(input + position + 1, length - position - 1);
        var end = rest.IndexOf((byte)'\r');
        number = 0;
        next = position + 1 + end + 2;
        if (end < 0 || next > length)
        {
            return ParseStatus.NeedMore;
        }

        return NumberParser.TryParseInt64(rest[..end], out number) ? ParseStatus.Complete : ParseStatus.Error;
    }

    private static ParseStatus Fail(ref ParseState state, ProtocolError error)
    {
        state.Error = error;
        return ParseStatus.Error;
    }
}
