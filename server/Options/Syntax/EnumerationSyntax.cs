namespace Strata.Server.Options.Syntax;

/// <summary>One of a few words, or several of them, in any case.</summary>
/// <param name="choices">The words in lower case, in the order in which an error lists them.</param>
public sealed class EnumerationSyntax(params string[] choices) : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords { get; init; }

    /// <inheritdoc/>
    public string Form => string.Join(", ", choices);

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        var given = words.Select(word => word.ToLowerInvariant()).Distinct().ToList();
        text = string.Join(' ', given);
        error = given.Count > 0 && given.All(choices.Contains)
            ? ""
            : $"argument(s) must be one of the following: {Form}";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text];

    /// <summary>The choice that names a member (<see cref="ToMember"/>).</summary>
    internal string WordOf<T>(T member)
        where T : struct, Enum
        => Array.Find(choices, choice => ToMember<T>(choice).Equals(member))!;

    /// <summary>
    /// The member of <typeparamref name="T"/> that a held word names: its members carry the choices' names in
    /// PascalCase, without dashes, slashes and underscores.
    /// </summary>
    internal static T ToMember<T>(string text)
        where T : struct, Enum
        => Enum.Parse<T>(
            text.Replace("-", "", StringComparison.Ordinal).Replace("_", "", StringComparison.Ordinal)
                .Replace("/", "", StringComparison.Ordinal),
            ignoreCase: true);
}
