using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVAL_RO</summary>
internal static class EvalRo
{
    public static readonly CommandRow Row = Evaluation.Row(
        "eval_ro", "script", isReadOnly: true, "7.0.0", "Executes a script that changes nothing.",
        static context => context.Session.Worker.Scripts.Eval(context, isReadOnly: true));
}
