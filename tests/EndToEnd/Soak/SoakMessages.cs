using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>A subscriber on a thread of its own that counts what it gets. It must be as much as PUBLISH said.</summary>
internal sealed class SoakMessages
{
    private const string Channel = "soak";
    private const string Last = "the last one";
    private const int SilenceMs = 60_000;

    private readonly ServerProcess _server;
    private readonly RespConnection _connection;
    private readonly Thread _thread;
    private Exception? _failure;
    private long _published;
    private long _received;

    /// <summary>Subscribes.</summary>
    public SoakMessages(ServerProcess server)
    {
        _server = server;
        _connection = server.Connect(SilenceMs);
        Assert.That(_connection.Call("SUBSCRIBE", Channel).Items[2].Integer, Is.EqualTo(1));
        _thread = new Thread(Receive);
        _thread.Start();
    }

    /// <summary>Publishes a message.</summary>
    public void Turn(RespConnection connection, Random random)
    {
        var receivers = connection.Call("PUBLISH", Channel, new string('m', random.Next(500)));
        Assert.That(receivers, Is.EqualTo(RespValue.Number(1)));
        _published++;
    }

    /// <summary>Ends the subscription, and fails the test if messages were lost.</summary>
    public void End()
    {
        using (var publisher = _server.Connect())
        {
            _ = publisher.Call("PUBLISH", Channel, Last);
        }

        _thread.Join();
        _connection.Dispose();
        Assert.That(_failure, Is.Null, "the subscriber");
        Assert.That(_received, Is.EqualTo(_published), "messages received");
        Assert.That(_received, Is.Positive, "messages received");
    }

    private void Receive()
    {
        try
        {
            while (_connection.ReadReply().Items[2].Text != Last)
            {
                _received++;
            }
        }
        catch (Exception e)
        {
            _failure = e;
        }
    }
}
