using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;

namespace Strata.Server.Clients.Access;

/// <summary>What a command is refused for; nothing where it is not.</summary>
/// <param name="Reason">Why.</param>
/// <param name="Index">Of a key or channel, the argument that it is.</param>
internal readonly record struct AccessDenial(DenialReason Reason, int Index)
{
    /// <summary>Whether the command may be executed.</summary>
    public bool IsNone => Reason == DenialReason.None;

    /// <summary>The refusal for the client, without its code: it does not say which key or channel it is about.
    /// </summary>
    public string TextFor(AccessUser user, CommandRow row) => Reason switch
    {
        DenialReason.Key => "No permissions to access a key",
        DenialReason.Channel => "No permissions to access a channel",
        _ => $"User {user.Name} has no permissions to run the '{row.FullName}' command",
    };

    /// <summary>The refusal for who asks whether a user may execute a command.</summary>
    public string DetailedText(AccessUser user, CommandRow row, in Request request) => Reason switch
    {
        DenialReason.Key => $"User {user.Name} has no permissions to access the "
            + $"'{EchoedArgument.Of(request[Index])}' key",
        DenialReason.Channel => $"User {user.Name} has no permissions to access the "
            + $"'{EchoedArgument.Of(request[Index])}' channel",
        _ => TextFor(user, row),
    };
}
