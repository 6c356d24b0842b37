using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Resp;
using Strata.Server.Text;

namespace Strata.Server.Clients.Access;

/// <summary>Whether a session's user may execute a command: what every way to execute one asks.</summary>
internal static class AccessCheck
{
    /// <summary>How much of a key, a channel or a client's name the log keeps: more would be a way to fill the memory
    /// for who may do nothing else.</summary>
    public const int LoggedBytes = 1024;

    // Bytes.
    private const int LongestKeyInRun = 1024;

    /// <summary>The error of a wrong user or password.</summary>
    public static ReadOnlySpan<byte> WrongPassword => "WRONGPASS invalid username-password pair or user is disabled."u8;

    /// <summary>Whether a user to whom something is forbidden may execute a command in a run. All others go the way of
    /// all commands, where a refusal is noted; as do those of long keys, which many patterns take long to match.
    /// </summary>
    public static bool AllowsInRun(AccessUser user, CommandRow row, in Request request)
        => row.JoinsRuns(request.Count) && request.Length(1) <= LongestKeyInRun && user.AllowsOfOneKey(row, request);

    /// <summary>Looks at a command, and notes it if it is refused.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="context">Where it stands.</param>
    /// <param name="user">The user it is refused to.</param>
    /// <param name="denial">Why.</param>
    /// <returns>Whether it may be executed.</returns>
    public static bool TryPass(
        Session session,
        CommandRow row,
        in Request request,
        AccessContext context,
        out AccessUser user,
        out AccessDenial denial)
    {
        user = session.User.Current;
        denial = default;
        if (session.IsOwn || user.AllowsAll)
        {
            return true;
        }

        denial = user.Check(row, request);
        if (denial.IsNone)
        {
            return true;
        }

        var what = denial.Reason == DenialReason.Command
            ? Encoding.ASCII.GetBytes(row.FullName)
            : Excerpt.Of(request[denial.Index], LoggedBytes);
        Note(session, denial.Reason, context, what, user.Name, request);
        return false;
    }

    /// <summary>Whether a command may read keys that it does not name.</summary>
    public static bool MayReadAll(Session session, CommandRow row, in Request request)
        => session.IsOwn || session.User.Current is { AllowsAll: true }
            || session.User.Current.AllowsReadingAll(row, request);

    /// <summary>Makes the session a user's, if there is one of that name, who has that password; notes it if not.
    /// </summary>
    /// <param name="session">The session.</param>
    /// <param name="request">The command that asks for it.</param>
    /// <param name="name">The user's name.</param>
    /// <param name="password">The password.</param>
    public static bool TryAuthenticate(
        Session session, in Request request, ReadOnlySpan<byte> name, ReadOnlySpan<byte> password)
    {
        // What is longer nobody has: it is not hashed, which would take a while.
        var isTooLong = Math.Max(name.Length, password.Length) > ServerLimits.LongestCredentialBytes;
        var user = isTooLong ? null : session.Worker.Services.Users.Find(name);
        if (user?.Current is { IsEnabled: true } current && current.IsPassword(password))
        {
            session.BecomeUser(user);
            return true;
        }

        var context = session.Transaction.IsOpen ? AccessContext.Transaction : AccessContext.TopLevel;
        var given = Encoding.Latin1.GetString(Excerpt.Of(name, LoggedBytes));
        Note(session, DenialReason.Authentication, context, Excerpt.Of(request[0], LoggedBytes), given, request);
        return false;
    }

    private static void Note(
        Session session, DenialReason reason, AccessContext context, byte[] what, string user, in Request request)
    {
        Count(session.Worker.Statistics, reason);
        var nowMs = session.Worker.Worker.NowMs;
        var client = ClientDescription.Of(session, nowMs, request.ArgumentBytes, LoggedBytes);
        session.Worker.Services.AccessLog.Add(
            new AccessLogEntry(reason, context, what, user, client, nowMs),
            session.Worker.Options.AclLogMaxLength);
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
