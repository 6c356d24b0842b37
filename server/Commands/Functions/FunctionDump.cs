using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Rdb;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION DUMP</summary>
internal static class FunctionDump
{
    public static readonly CommandRow Row = new("dump", 2,
        CommandFlags.NoScript, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Gives all libraries as a payload for FUNCTION RESTORE.",
        Complexity = "O(N) where N is the length of all libraries",
    };

    private static void Execute(CommandContext context)
    {
        var crc = default(Crc64);
        var parts = new List<byte[]>();
        foreach (var library in context.Services.Scripts.Functions.Current.Libraries)
        {
            parts.Add([RdbFormat.Function, .. RdbFormat.StringHeader(library.Code.Length)]);
            parts.Add(library.Code);
            crc.Add(parts[^2]);
            crc.Add(library.Code);
        }

        parts.Add(DumpFooter.Make(RdbFormat.VersionOfFunctions, crc));
        context.Reply.Bulk(parts);
    }
}
