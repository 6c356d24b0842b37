using Microsoft.AspNetCore.SignalR;

namespace Strata.Tests.Applications.Web.Chat;

/// <summary>The hub, and what the shop does to its visitors' connections from outside it.</summary>
internal static class ChatEndpoints
{
    public static void Map(IEndpointRouteBuilder routes)
    {
        routes.MapHub<ChatHub>("/chat");
        routes.MapPut(
            "/rooms/{room}/{connection}",
            (string room, string connection, IHubContext<ChatHub> hub) =>
                hub.Groups.AddToGroupAsync(connection, room));
        routes.MapGet(
            "/questions/{connection}/{question}",
            (string connection, string question, IHubContext<ChatHub> hub) =>
                hub.Clients.Client(connection).InvokeAsync<string>("question", question, CancellationToken.None));
    }
}
