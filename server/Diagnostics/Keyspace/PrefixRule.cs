namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>What the prefix of a key is: what stands before its separators, up to a depth, with the last of them.
/// </summary>
/// <param name="separator">The bytes between a key's parts; not none.</param>
/// <param name="depth">How many parts a prefix has, at most.</param>
internal sealed class PrefixRule(byte[] separator, int depth)
{
    /// <summary>As keys are named mostly: <c>user:123:name</c> is one of <c>user:</c>.</summary>
    public static readonly PrefixRule Usual = new(":"u8.ToArray(), depth: 1);

    /// <summary>The bytes between a key's parts.</summary>
    public ReadOnlySpan<byte> Separator => separator;

    /// <summary>How many parts a prefix has, at most.</summary>
    public int Depth => depth;

    /// <summary>The prefix of a key; of one without a separator nothing.</summary>
    /// <param name="name">The key, or what it begins with.</param>
    public ReadOnlySpan<byte> PrefixOf(ReadOnlySpan<byte> name)
    {
        var end = 0;
        for (var parts = 0; parts < depth; parts++)
        {
            var found = name[end..].IndexOf(separator);
            if (found < 0)
            {
                break;
            }

            end += found + separator.Length;
        }

        return name[..end];
    }
}
