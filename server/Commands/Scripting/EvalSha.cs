using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVALSHA</summary>
internal static class EvalSha
{
    public static readonly CommandRow Row = Evaluation.Row(
        "evalsha", "sha1", isReadOnly: false, "2.6.0", "Executes a script by the SHA-1 of its body.",
        static context => context.Session.Worker.Scripts.EvalSha(context, isReadOnly: false));
}
