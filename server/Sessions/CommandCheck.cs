using System.Text;
using Strata.Server.Commands;
using Strata.Server.Resp;

namespace Strata.Server.Sessions;

/// <summary>What every command must pass before it is executed, in Redis's order: known, arity, authentication.</summary>
internal static class CommandCheck
{
    private const int PreviewBytes = 128;

    /// <summary>Replaces a container by the subcommand's row, and answers an error when the command cannot be executed.
    /// </summary>
    public static bool TryResolve(ServerWorker worker, Session session, ref CommandRow? row, in Request request)
    {
        var reply = worker.Reply;
        if (row == null)
        {
            reply.Error(UnknownCommand(request));
            return false;
        }

        if (row.Subcommands != null && request.Count > 1)
        {
            var container = row;
            row = row.Subcommands.Find(request[1]);
            if (row == null)
            {
                var word = Encoding.Latin1.GetString(request[1][..Math.Min(request[1].Length, PreviewBytes)]);
                reply.Error($"ERR unknown subcommand '{word}'. Try {container.Name.ToUpperInvariant()} HELP.");
                return false;
            }
        }

        if (!row.AcceptsCount(request.Count) || !row.IsExecutable)
        {
            reply.Error($"ERR wrong number of arguments for '{row.FullName}' command");
            worker.Statistics.CountRejected(row);
            return false;
        }

        if (!session.IsAuthenticated && !row.Has(CommandFlags.NoAuth))
        {
            reply.Error(Errors.AuthenticationRequired);
            worker.Statistics.CountRejected(row);
            return false;
        }

        return true;
    }

    private static string UnknownCommand(in Request request)
    {
        var text = new StringBuilder("ERR unknown command '");
        text.Append(Encoding.Latin1.GetString(request[0][..Math.Min(request[0].Length, PreviewBytes)]));
        text.Append("', with args beginning with: ");
        var left = PreviewBytes;
        for (var i = 1; i < request.Count && left > 0; i++)
        {
            var shown = Math.Min(request.Length(i), left);
            text.Append('\'').Append(Encoding.Latin1.GetString(request[i][..shown])).Append("' ");
            left -= shown + 3;
        }

        return text.ToString();
    }
}
