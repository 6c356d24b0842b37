using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about who may do what, and what is kept of it.</summary>
internal static class AccessWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        new("enable-module-command", new EnumerationSyntax("no", "yes", "local"), "no")
        {
            Change = ChangeRule.AtStart,
        },
        new("hide-user-data-from-log", InertSyntax.YesNo, "no"),
        new("max-new-connections-per-cycle", new IntegerSyntax(1, 1000), "10"),
        new("socket-mark-id", new IntegerSyntax(0, uint.MaxValue), "0") { Change = ChangeRule.AtStart },
        new("client-default-resp", new IntegerSyntax(2, 3), "2") { Change = ChangeRule.AtStart, IsHidden = true },
        new("req-res-logfile", InertSyntax.Text, "\"\"") { Change = ChangeRule.AtStart, IsHidden = true },
    ];
}
