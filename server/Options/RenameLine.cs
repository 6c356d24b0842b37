namespace Strata.Server.Options;

/// <summary>A line of the conf file, or a flag, that gives a command another name.</summary>
/// <param name="From">The name that it has.</param>
/// <param name="To">The name that it gets; empty to have none.</param>
/// <param name="Place">Where it was given, for the error.</param>
public sealed record RenameLine(string From, string To, string Place)
{
    /// <summary>The word that such a line begins with.</summary>
    public const string Directive = "rename-command";

    /// <summary>Whether a word is that one.</summary>
    public static bool Is(string name) => name.Equals(Directive, StringComparison.OrdinalIgnoreCase);
}
