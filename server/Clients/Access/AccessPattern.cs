using Strata.Server.Text;

namespace Strata.Server.Clients.Access;

/// <summary>Patterns of keys or channels that a user may name, which are Redis's globs. Most are a name, or what names
/// begin with and a star: those are compared and not matched. They stand in a <see cref="WordBuffer"/>, with their form
/// and what may be done with the keys in the number beside them.</summary>
internal static class AccessPattern
{
    private const int FormShift = 2; // Above the rights.

    private enum Form
    {
        Name,
        Everything,
        Beginning,
        Glob,
    }

    /// <summary>The number beside a pattern.</summary>
    /// <param name="pattern">The pattern.</param>
    /// <param name="rights">What may be done with keys that match.</param>
    public static byte MarkOf(ReadOnlySpan<byte> pattern, KeyRights rights)
        => (byte)((int)FormOf(pattern) << FormShift | (int)rights);

    /// <summary>What may be done with keys that match.</summary>
    public static KeyRights RightsOf(byte mark) => (KeyRights)mark & KeyRights.All;

    /// <summary>Whether everything matches, but for the empty name.</summary>
    public static bool IsEverything(byte mark) => (Form)(mark >> FormShift) == Form.Everything;

    /// <summary>Whether a name matches.</summary>
    /// <param name="pattern">The pattern.</param>
    /// <param name="mark">The number beside it.</param>
    /// <param name="name">The name.</param>
    public static bool IsMatch(ReadOnlySpan<byte> pattern, byte mark, ReadOnlySpan<byte> name)
        => (Form)(mark >> FormShift) switch
        {
            Form.Name => name.SequenceEqual(pattern),
            Form.Everything => !name.IsEmpty, // As in Redis: ~*, which is no pattern, has the empty name as well.
            Form.Beginning => name.StartsWith(pattern[..^1]),
            _ => GlobPattern.IsMatch(pattern, name),
        };

    private static Form FormOf(ReadOnlySpan<byte> pattern)
    {
        var special = pattern.IndexOfAny("*?[\\"u8);
        return special < 0 ? Form.Name
            : pattern.SequenceEqual("*"u8) ? Form.Everything
            : special == pattern.Length - 1 && pattern[special] == '*' ? Form.Beginning
            : Form.Glob;
    }
}
