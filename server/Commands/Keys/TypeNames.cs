using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>The names clients know the types of values by.</summary>
internal static class TypeNames
{
    /// <summary>The type a name means, whatever its case; null for a word that is no type's name.</summary>
    public static RecordType? Parse(ReadOnlySpan<byte> name)
    {
        foreach (var info in TypeInfo.All)
        {
            if (NumberParser.IsWord(name, info.Name))
            {
                return info.Type;
            }
        }

        return null;
    }
}
