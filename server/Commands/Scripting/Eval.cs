using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>EVAL</summary>
internal static class Eval
{
    public static readonly CommandRow Row = Evaluation.Row(
        "eval", "script", isReadOnly: false, "2.6.0", "Executes a script.",
        static context => context.Session.Worker.Scripts.Eval(context, isReadOnly: false));
}
