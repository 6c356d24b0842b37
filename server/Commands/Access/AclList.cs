using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Access;

/// <summary>ACL LIST</summary>
internal static class AclList
{
    public static readonly CommandRow Row = new("list", 2, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        IsReport = true,
        Summary = "Shows all users as lines of a conf file.",
        Complexity = "O(N). Where N is the number of configured users.",
    };

    private static void Execute(CommandContext context)
        => ReportPass.Answer(context, static context => new Pass(context.Services.Users.All));

    /// <summary>Describes the users as they are when the command begins.</summary>
    private sealed class Pass(IReadOnlyList<AccessUser> users) : ReportPass
    {
        // To put a user's rules together takes as long as so many elements of a reply.
        private const int EffortOfUser = 32;

        private int _next;

        /// <inheritdoc/>
        private protected override bool TryStep(CommandContext context, long effort)
        {
            for (; _next < users.Count; _next++)
            {
                if (effort <= 0)
                {
                    return false;
                }

                using var room = UserRoom.ForText(context.Server.Shards.Budget, users[_next]);
                var line = users[_next].ToLine();
                context.Reply.Bulk(line);
                effort -= EffortOfUser + StepEffort.Of(line.Length);
            }

            return true;
        }

        /// <inheritdoc/>
        private protected override void WriteHeader(ReplyWriter reply) => reply.Array(users.Count);
    }
}
