using System.Threading.Channels;
using Microsoft.AspNetCore.SignalR.Client;

namespace Strata.Tests.Applications;

/// <summary>A visitor of the web shop's chat, connected to one instance, who keeps the messages until asked.</summary>
internal sealed class ChatVisitor : IAsyncDisposable
{
    private readonly HubConnection _connection;
    private readonly Channel<string> _heard = Channel.CreateUnbounded<string>();

    private ChatVisitor(HubConnection connection)
    {
        _connection = connection;
        _connection.On<string>("message", text => _heard.Writer.TryWrite(text));
    }

    public string Id => _connection.ConnectionId!;

    public static async Task<ChatVisitor> ConnectAsync(WebInstance shop, string name)
    {
        var visitor = new ChatVisitor(new HubConnectionBuilder().WithUrl(new Uri(shop.Address, "/chat")).Build());
        visitor._connection.On<string, string>("question", question => $"{name} on {question}");
        await visitor._connection.StartAsync();
        // The hub answers the handshake before it subscribes to what is sent to the visitor alone, but hears no call
        // before that: who is in the hall is found.
        await visitor.CallAsync("Join", "hall");
        return visitor;
    }

    /// <summary>Calls a method of the hub and waits for its end.</summary>
    public Task CallAsync(string method, params object[] arguments) =>
        _connection.InvokeCoreAsync(method, arguments);

    /// <summary>The next message that hasn't been asked for; the limit is there for one that never comes.</summary>
    public async Task<string> HearAsync()
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(120));
        return await _heard.Reader.ReadAsync(limit.Token);
    }

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
