using Strata.Server.Options;
using Strata.Server.Text;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Access;

/// <summary>A pattern of keys or channels that a user may name, one of Redis's globs. Most are a name, or what names
/// begin with and a star: those are compared and not matched.</summary>
internal sealed class AccessPattern
{
    // Two references, and a number.
    private const int FieldBytes = 20;

    private readonly byte[] _pattern;
    private readonly Form _form;

    /// <summary>Makes a pattern.</summary>
    /// <param name="text">The pattern, one character a byte.</param>
    public AccessPattern(string text)
    {
        Text = text;
        _pattern = ConfigurationText.ToBytes(text);
        var literal = _pattern.AsSpan().IndexOfAny("*?[\\"u8);
        _form = literal < 0 ? Form.Name
            : text == "*" ? Form.Everything
            : literal == text.Length - 1 && text[literal] == '*' ? Form.Beginning
            : Form.Glob;
    }

    private enum Form
    {
        Name,
        Everything,
        Beginning,
        Glob,
    }

    /// <summary>The pattern, one character a byte.</summary>
    public string Text { get; }

    /// <summary>Memory, bytes.</summary>
    public long SizeBytes
        => ManagedSize.OfObject(FieldBytes) + ManagedSize.OfString(Text.Length)
            + ManagedSize.OfArray(_pattern.Length, sizeof(byte));

    /// <summary>Whether everything matches.</summary>
    public bool IsEverything => _form == Form.Everything;

    /// <summary>Whether a name matches.</summary>
    public bool IsMatch(ReadOnlySpan<byte> name) => _form switch
    {
        Form.Name => name.SequenceEqual(_pattern),
        Form.Everything => true,
        Form.Beginning => name.StartsWith(_pattern.AsSpan(0, _pattern.Length - 1)),
        _ => GlobPattern.IsMatch(_pattern, name),
    };

    /// <summary>Whether a pattern is this one, letter for letter.</summary>
    public bool Is(ReadOnlySpan<byte> pattern) => pattern.SequenceEqual(_pattern);
}
