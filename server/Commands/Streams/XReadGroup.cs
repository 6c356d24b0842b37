using Strata.Server.Commands.Model;
using Strata.Storage;

namespace Strata.Server.Commands.Streams;

/// <summary>XREADGROUP GROUP group consumer [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS key [key ...] id
/// [id ...]</summary>
internal static class XReadGroup
{
    public static readonly CommandRow Row = new("xreadgroup", -7,
        CommandFlags.Write | CommandFlags.Blocking | CommandFlags.MovableKeys,
        KeySpec.FirstHalf(ReadArguments.KeysOfGroup, KeyAccess.ReadOnly | KeyAccess.Access), GroupReading.Execute)
    {
        HoldsOneByOne = true,
        BytesPerName = Limits.BytesPerInterest + Limits.BytesPerDueWait,
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Gives entries of several streams to a consumer of a group, new ones or those pending for it, or "
            + "waits for some.",
        Differs = "Of hundreds of streams, outside of transactions and scripts, each is read by itself: who only looks "
            + "may find some read and others not yet.",
        Complexity = "O(log(N)) for each entry given, with N entries in its stream",
        Syntax = "GROUP group consumer [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS key [key ...] id [id ...]",
    };
}
