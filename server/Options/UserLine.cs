namespace Strata.Server.Options;

/// <summary>A user of the conf file, or of the flags.</summary>
/// <param name="Name">The name.</param>
/// <param name="Rules">The rules, word by word.</param>
/// <param name="Place">Where it was given, for the error.</param>
public sealed record UserLine(string Name, IReadOnlyList<string> Rules, string Place)
{
    /// <summary>The word that such a line begins with.</summary>
    public const string Directive = "user";

    /// <summary>Whether a word is that one.</summary>
    public static bool Is(string name) => name.Equals(Directive, StringComparison.OrdinalIgnoreCase);
}
