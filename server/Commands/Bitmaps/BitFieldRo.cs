using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>BITFIELD_RO key [GET type offset ...]</summary>
internal static class BitFieldRo
{
    public static readonly CommandRow Row = new("bitfield_ro", -2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => BitField.Execute(context, isReadOnly: true))
    {
        Group = CommandGroup.Bitmap,
        Categories = AclCategories.Bitmap,
        Since = "6.0.0",
        Summary = "Reads integers of any width inside a string.",
        Complexity = "O(1) for each step",
        Syntax = "key [GET encoding offset [GET encoding offset ...]]",
    };
}
