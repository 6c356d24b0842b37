using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>What the fixtures of the key commands share: a server of either kind, and a connection whose database is
/// empty when a test begins.</summary>
public abstract class KeysFixture(ServerKind kind) : ServerFixture(kind)
{
    private RespConnection? _connection;

    [SetUp]
    public void Connect()
    {
        _connection = Server.Connect();
        foreach (var key in Call("KEYS", "*").Items)
        {
            Call("DEL", key.Text);
        }
    }

    [TearDown]
    public void Disconnect() => _connection?.Dispose();

    protected RespConnection Connection => _connection!;

    protected RespValue Call(params string[] arguments) => _connection!.Call(arguments);

    /// <summary>Sends a command and reads an integer.</summary>
    protected long Number(params string[] arguments)
    {
        var reply = Call(arguments);
        Assert.That(reply.Kind, Is.EqualTo(RespKind.Integer), $"{string.Join(' ', arguments)} -> {reply}");
        return reply.Integer;
    }

    protected static RespValue Error(string text) => RespValue.Error(text);
}
