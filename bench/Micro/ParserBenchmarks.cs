using System.Text;
using BenchmarkDotNet.Attributes;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Bench.Micro;

/// <summary>Parsing a pipeline of 30 commands that lies whole in the receive buffer; the time is of one command. Not
/// sealed, since BenchmarkDotNet derives from it.</summary>
public unsafe class ParserBenchmarks
{
    private const int Commands = 30;

    private readonly ArgumentBuffer _arguments = new(new MemoryBudget());
    private readonly RespLimits _limits = new(1 << 20, 512 << 20, 512 << 20);
    private readonly byte[] _gets = Pipeline("*2\r\n$3\r\nGET\r\n$13\r\nkey:000000042\r\n");
    private readonly byte[] _sets =
        Pipeline($"*3\r\n$3\r\nSET\r\n$13\r\nkey:000000042\r\n$256\r\n{new string('v', 256)}\r\n");

    private readonly byte[] _inline = Pipeline("GET key:000000042\r\n");

    [Benchmark(OperationsPerInvoke = Commands)]
    public int Get() => Parse(_gets);

    [Benchmark(OperationsPerInvoke = Commands)]
    public int Set() => Parse(_sets);

    [Benchmark(OperationsPerInvoke = Commands)]
    public int InlineGet() => Parse(_inline);

    [GlobalCleanup]
    public void Free() => _arguments.Dispose();

    private static byte[] Pipeline(string command) =>
        Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(command, Commands)));

    private int Parse(byte[] input)
    {
        var position = 0;
        fixed (byte* start = input)
        {
            _arguments.Clear();
            while (position < input.Length)
            {
                var state = default(ParseState);
                var status = RespParser.Parse(
                    start + position, input.Length - position, ref state, _arguments, _limits);
                if (status != ParseStatus.Complete)
                {
                    throw new InvalidOperationException($"The parser answered {status} to a whole command.");
                }

                position += state.Position;
            }
        }

        return _arguments.Count;
    }
}
