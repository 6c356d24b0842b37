using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL DELUSER, in steps where it names many users: no connection follows before all are deleted.</summary>
internal sealed class UserRemovalPass : IDisposable
{
    // How much is done before others have their turn: some tenths of a millisecond.
    private const int ChecksAtOnce = 4096;
    private const int UsersAtOnce = 64;

    private int _checked;
    private int _next;
    private int _deleted;

    private UserRemovalPass(int first)
    {
        _checked = first;
        _next = first;
    }

    /// <summary>Begins, or goes on; in a transaction to the end.</summary>
    /// <param name="context">The command.</param>
    /// <param name="first">Index of the first name.</param>
    public static void Execute(CommandContext context, int first)
    {
        var session = context.Session;
        var pass = (context.IsInTransaction ? null : session.Unfinished as UserRemovalPass)
            ?? new UserRemovalPass(first);
        while (!pass.TryStep(context))
        {
            if (!context.IsInTransaction)
            {
                session.Unfinished = pass;
                context.HasMore = true;
                return;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // It holds nothing.
    }

    private bool TryStep(CommandContext context)
    {
        for (var left = ChecksAtOnce; _checked < context.Count; _checked++)
        {
            if (left-- == 0)
            {
                return false;
            }

            if (ConfigurationText.FromBytes(context.Argument(_checked)) == AccessUser.DefaultName)
            {
                context.Reply.Error("ERR The 'default' user cannot be removed"u8);
                return true;
            }
        }

        for (var left = UsersAtOnce; _next < context.Count; _next++)
        {
            if (left-- == 0)
            {
                return false;
            }

            var name = ConfigurationText.FromBytes(context.Argument(_next));
            _deleted += context.Services.Users.Delete(name) ? 1 : 0;
        }

        var deleted = _deleted;
        UserChange.Spread(context.Session, reply => reply.Integer(deleted));
        return true;
    }
}
