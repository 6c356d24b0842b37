using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Resp;

namespace Strata.Server.Clients.Access;

/// <summary>Whether a session's user may execute a command: what every way to execute one asks.</summary>
internal static class AccessCheck
{
    /// <summary>The error of a wrong user or password.</summary>
    public static ReadOnlySpan<byte> WrongPassword => "WRONGPASS invalid username-password pair or user is disabled."u8;

    /// <summary>Whether a user to whom something is forbidden may execute a command in a run. All others go the way of
    /// all commands, where a refusal is noted.</summary>
    public static bool AllowsInRun(AccessUser user, CommandRow row, in Request request)
        => row.JoinsRuns(request.Count) && user.AllowsOfOneKey(row, request);

    /// <summary>Looks at a command, and notes it if it is refused.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="user">The user it is refused to.</param>
    /// <param name="denial">Why.</param>
    /// <returns>Whether it may be executed.</returns>
    public static bool TryPass(
        Session session, CommandRow row, in Request request, out AccessUser user, out AccessDenial denial)
    {
        user = session.User.Current;
        denial = default;
        if (session.IsOwn || user.AllowsAll)
        {
            return true;
        }

        denial = user.Check(row, request);
        if (!denial.IsNone)
        {
            Count(session.Worker.Statistics, denial.Reason);
        }

        return denial.IsNone;
    }

    /// <summary>Whether a command may read keys that it does not name.</summary>
    public static bool MayReadAll(Session session, CommandRow row, in Request request)
        => session.IsOwn || session.User.Current is { AllowsAll: true }
            || session.User.Current.AllowsReadingAll(row, request);

    /// <summary>Makes the session a user's, if there is one of that name, who has that password; notes it if not.
    /// </summary>
    public static bool TryAuthenticate(Session session, ReadOnlySpan<byte> name, ReadOnlySpan<byte> password)
    {
        var user = session.Worker.Services.Users.Find(name);
        if (user?.Current is { IsEnabled: true } current && current.IsPassword(password))
        {
            session.BecomeUser(user);
            return true;
        }

        Count(session.Worker.Statistics, DenialReason.Authentication);
        return false;
    }

    private static void Count(CommandStatistics statistics, DenialReason reason)
    {
        switch (reason)
        {
            case DenialReason.Command:
                statistics.CommandsDenied++;
                break;
            case DenialReason.Key:
                statistics.KeysDenied++;
                break;
            case DenialReason.Channel:
                statistics.ChannelsDenied++;
                break;
            default:
                statistics.AuthenticationsDenied++;
                break;
        }
    }
}
