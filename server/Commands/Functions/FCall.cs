using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Scripting;

namespace Strata.Server.Commands.Functions;

/// <summary>FCALL</summary>
internal static class FCall
{
    public static readonly CommandRow Row = Evaluation.Row(
        "fcall", "function", isReadOnly: false, "7.0.0", "Executes a function.",
        static context => context.Session.Worker.Functions.Call(context, isReadOnly: false),
        FunctionContainer.Differs);
}
