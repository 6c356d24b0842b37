using System.Text;

namespace Strata.Server.Rdb;

/// <summary>What modules have in RDB, which nobody can read who has not the module: it is named, and refused.</summary>
internal static class RdbModule
{
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private const int LetterBits = 6;
    private const int VersionBits = 10;

    /// <summary>Whether a value is a module's.</summary>
    /// <param name="type">The number of its type.</param>
    public static bool Has(byte type) => type is RdbType.EarlyModule or RdbType.Module;

    /// <summary>Refuses a value if it is a module's.</summary>
    /// <param name="type">The number of its type.</param>
    /// <param name="input">Where the value begins.</param>
    /// <param name="offset">Where its type was read.</param>
    /// <exception cref="RdbException">It is.</exception>
    public static void Refuse(byte type, RdbInput input, long offset)
    {
        if (Has(type))
        {
            var name = NameOf(input.ReadNumber());
            throw new RdbException($"a value of the module type {name}: this server has no modules", offset);
        }
    }

    /// <summary>The name in the number of a module's type: nine letters of six bits, in front of ten for a version.
    /// </summary>
    public static string NameOf(ulong id)
    {
        var name = new StringBuilder();
        for (var shift = 64 - LetterBits; shift >= VersionBits; shift -= LetterBits)
        {
            name.Append(Letters[(int)((id >> shift) & ((1 << LetterBits) - 1))]);
        }

        return name.ToString();
    }
}
