using Strata.Server.Options.Syntax;
using Strata.Server.Text;

namespace Strata.Server.Options.Inert;

/// <summary>
/// A word of Redis's configuration that has no effect here. Its neutral value is the one with which Redis does what
/// this server does: CONFIG GET answers it, CONFIG SET and the conf file take it; CONFIG SET refuses any other, and the
/// conf file takes it with a warning of the word's rank.
/// </summary>
public sealed class InertWord : ConfigurationWord
{
    /// <summary>Makes a row.</summary>
    /// <param name="name">The name in redis.conf's spelling, in lower case.</param>
    /// <param name="syntax">How its values are read and checked, as Redis does.</param>
    /// <param name="neutralValue">The neutral value as a conf file has it behind the name.</param>
    /// <exception cref="ArgumentException">The neutral value is not a right one.</exception>
    public InertWord(string name, IValueSyntax syntax, string neutralValue)
        : base(name, syntax)
    {
        if (!QuotedWords.TrySplit(neutralValue, out var words) || !TryRead(words, "", out var text, out _))
        {
            throw new ArgumentException($"The neutral value of {name} is not a right one: {neutralValue}");
        }

        NeutralText = text;
    }

    /// <summary>The neutral value as CONFIG GET prints it.</summary>
    public string NeutralText { get; }

    /// <summary>What another value than the neutral one means.</summary>
    public InertRank Rank { get; init; } = InertRank.Harmless;

    /// <summary>Why another value than the neutral one ends the start, and what to do; null where none does.</summary>
    public string? Refusal { get; init; }

    /// <inheritdoc/>
    public override string TextIn(ConfigurationValues values) => NeutralText;

    /// <inheritdoc/>
    public override bool TryPut(ref ConfigurationValues values, string text, out string error)
    {
        error = text == NeutralText ? "" : $"not supported by Strata, which takes only '{NeutralText}'";
        return error.Length == 0;
    }
}
