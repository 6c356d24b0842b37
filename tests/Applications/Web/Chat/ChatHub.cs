using Microsoft.AspNetCore.SignalR;

namespace Strata.Tests.Applications.Web.Chat;

/// <summary>Rooms of a chat. A receiver hears "message" with the text.</summary>
internal sealed class ChatHub : Hub
{
    public Task Join(string room) => Groups.AddToGroupAsync(Context.ConnectionId, room);

    public Task Leave(string room) => Groups.RemoveFromGroupAsync(Context.ConnectionId, room);

    public Task SendToAll(string text) => Clients.All.SendAsync("message", text);

    public Task SendToOthers(string text) => Clients.Others.SendAsync("message", text);

    public Task SendToRoom(string room, string text) => Clients.Group(room).SendAsync("message", text);

    public Task SendToOne(string connection, string text) => Clients.Client(connection).SendAsync("message", text);
}
