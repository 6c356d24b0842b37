namespace Strata.Server.Commands.Documentation;

/// <summary>One argument of a command's syntax, or a group of them: a node of COMMAND DOCS's tree.</summary>
/// <param name="Name">Its name; of a word that stands for itself, that word in lower case.</param>
/// <param name="Type">What it is.</param>
public sealed record ArgumentNode(string Name, ArgumentType Type)
{
    /// <summary>The word that stands before it, or that it is; null for none.</summary>
    public string? Token { get; init; }

    /// <summary>Which of the command's key specifications finds it; -1 when it is no key.</summary>
    public int KeySpecIndex { get; init; } = -1;

    public bool IsOptional { get; init; }

    /// <summary>Whether it may be given several times.</summary>
    public bool IsMultiple { get; init; }

    /// <summary>Whether the word is repeated each time.</summary>
    public bool IsTokenRepeated { get; init; }

    /// <summary>The choices of a one-of, or the parts of a block.</summary>
    public IReadOnlyList<ArgumentNode> Children { get; init; } = [];
}
