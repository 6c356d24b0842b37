using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVALSHA_RO</summary>
internal static class EvalShaRo
{
    public static readonly CommandRow Row = Evaluation.Row(
        "evalsha_ro", "sha1", isReadOnly: true, "7.0.0",
        "Executes a script that changes nothing by the SHA-1 of its body.",
        static context => context.Session.Worker.Scripts.EvalSha(context, isReadOnly: true));
}
