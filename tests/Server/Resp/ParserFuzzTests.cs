using System.Text;
using NUnit.Framework;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.Server.Resp;

/// <summary>
/// Input of any bytes, RESP and lines: the parser makes the same of it whole and in pieces, reads nothing behind it,
/// and takes no more arguments than came. <see cref="FuzzRun"/> says how it goes on for hours.
/// </summary>
internal sealed unsafe class ParserFuzzTests
{
    private static readonly RespLimits s_authenticated = new(1 << 20, 512 << 20, 512 << 20);
    private static readonly RespLimits s_stranger = new(10, 512 << 20, 16 << 10);

    [Test]
    public void What_it_means_does_not_depend_on_how_it_is_cut()
    {
        using var memory = new GuardedBytes(256 << 10);
        using var arguments = new ArgumentBuffer(new MemoryBudget());
        FuzzRun.Of(20_000, random =>
        {
            var input = RandomInput.Next(random);
            var limits = random.Next(4) == 0 ? s_stranger : s_authenticated;
            var whole = Parse(memory, arguments, input, limits, static (_, length) => length);
            var most = random.Next(1, 40);
            var cut = Parse(memory, arguments, input, limits, (end, _) => end + random.Next(1, most + 1));
            Assert.That(cut, Is.EqualTo(whole));
        });
    }

    /// <summary>What is parsed, as text.</summary>
    private static string Parse(
        GuardedBytes memory, ArgumentBuffer arguments, byte[] input, RespLimits limits, Func<int, int, int> next)
    {
        var meaning = new StringBuilder();
        var state = default(ParseState);
        var (start, end) = (0, 0);
        arguments.Clear();
        while (true)
        {
            var given = input.AsSpan(start, end - start);
            var at = memory.Place(given);
            var status = given.IsEmpty
                ? ParseStatus.NeedMore
                : RespParser.Parse(at, given.Length, ref state, arguments, limits);
            Assert.That(arguments.Count, Is.LessThanOrEqualTo(given.Length));
            if (status == ParseStatus.Error)
            {
                return meaning.Append(ProtocolErrors.Text(state)).ToString();
            }

            if (status == ParseStatus.NeedMore && end == input.Length)
            {
                return meaning.Append($"{input.Length - start} left").ToString();
            }

            if (status == ParseStatus.NeedMore)
            {
                end = Math.Min(next(end, input.Length), input.Length);
                continue;
            }

            for (var i = 0; i < arguments.Count; i++)
            {
                var argument = *arguments.At(i);
                meaning.Append(Encoding.Latin1.GetString(at + argument.Offset, argument.Length)).Append('|');
            }

            start += state.Position;
            meaning.Append($"{start}\n");
            state = default;
            arguments.Clear();
        }
    }
}
