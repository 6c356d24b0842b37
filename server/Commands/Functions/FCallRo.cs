using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Scripting;

namespace Strata.Server.Commands.Functions;

/// <summary>FCALL_RO</summary>
internal static class FCallRo
{
    public static readonly CommandRow Row = Evaluation.Row(
        "fcall_ro", "function", isReadOnly: true, "7.0.0", "Executes a function that changes nothing.",
        static context => context.Session.Worker.Functions.Call(context, isReadOnly: true),
        FunctionContainer.Differs);
}
