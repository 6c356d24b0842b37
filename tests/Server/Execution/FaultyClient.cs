using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>A client that sends random commands in pipelines and knows what each must answer, unless it answers that
/// the disk or the memory is short: then nothing was changed.</summary>
internal sealed class FaultyClient : IDisposable
{
    private const int Keys = 150;
    private const int Pipeline = 40;

    private static readonly string[] s_refusals = ["IOERR", "MISCONF", "OOM"];

    private readonly RespConnection _connection;
    private readonly Random _random;
    private readonly string _name;
    private readonly Dictionary<string, string> _expected = [];
    private readonly Queue<Action<RespValue>> _pending = new();
    private int _values;

    public FaultyClient(RespConnection connection, int seed, string name)
    {
        _connection = connection;
        _random = new Random(seed);
        _name = name;
    }

    /// <summary>Commands that were refused.</summary>
    public int Errors { get; private set; }

    public void Send()
    {
        var commands = Enumerable.Range(0, Pipeline).Select(_ => Next()).ToList();
        _connection.Send(commands);
    }

    public void Receive()
    {
        while (_pending.TryDequeue(out var check))
        {
            var reply = _connection.ReadReply();
            if (reply.IsError)
            {
                Errors++;
                Assert.That(s_refusals, Has.Some.Matches<string>(reply.Text.StartsWith), reply.Text);
            }
            else
            {
                check(reply);
            }
        }
    }

    /// <summary>Reads every key.</summary>
    public void CheckAll()
    {
        for (var number = 0; number < Keys; number++)
        {
            var key = Key(number);
            _connection.Send("GET", key);
            _pending.Enqueue(reply => Assert.That(reply.Text, Is.EqualTo(_expected.GetValueOrDefault(key, "")), key));
        }

        Receive();
    }

    public void Dispose() => _connection.Dispose();

    private string Key(int number) => $"{_name}:{number}";

    private RespCommand Next()
    {
        var key = Key(_random.Next(Keys));
        var value = $"{_name} {++_values} ".PadRight(_random.Next(20) == 0 ? 5000 : 20 + _random.Next(600), 'v');
        switch (_random.Next(12))
        {
            case < 5:
                return Expect(["SET", key, value], reply =>
                {
                    Assert.That(reply.Text, Is.EqualTo("OK"));
                    _expected[key] = value;
                });
            case < 8:
                return Expect(["GET", key], reply =>
                    Assert.That(reply.Text, Is.EqualTo(_expected.GetValueOrDefault(key, "")), key));
            case 8:
                return Expect(["APPEND", key, "++"], reply =>
                {
                    _expected[key] = _expected.GetValueOrDefault(key, "") + "++";
                    Assert.That(reply.Integer, Is.EqualTo(_expected[key].Length));
                });
            case 9:
                return Expect(["DEL", key], reply =>
                    Assert.That(reply.Integer, Is.EqualTo(_expected.Remove(key) ? 1 : 0)));
            case 10:
                string[] several = [key, Key(_random.Next(Keys)), Key(_random.Next(Keys)), Key(_random.Next(Keys))];
                return Expect(["MGET", .. several], reply =>
                {
                    var values = several.Select(name => _expected.GetValueOrDefault(name, ""));
                    Assert.That(reply.Items.Select(item => item.Text), Is.EqualTo(values));
                });
            default:
                return Expect(["GETSET", key, value], reply =>
                {
                    Assert.That(reply.Text, Is.EqualTo(_expected.GetValueOrDefault(key, "")), key);
                    _expected[key] = value;
                });
        }
    }

    private RespCommand Expect(string[] command, Action<RespValue> check)
    {
        _pending.Enqueue(check);
        return RespCommand.Of(command);
    }
}
