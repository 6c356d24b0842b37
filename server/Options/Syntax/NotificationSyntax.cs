using Strata.Server.Text;
using Strata.Storage.Changes;

namespace Strata.Server.Options.Syntax;

/// <summary>Classes of keyspace events, a letter each, in any order; held in Redis's order, with A in place of all it
/// stands for. Unlike in Redis, an n beside the A is not lost when the value is read back.</summary>
public sealed class NotificationSyntax : IValueSyntax
{
    private static readonly (char Letter, NotificationClasses Class)[] s_letters =
    [
        ('A', NotificationClasses.All),
        ('g', NotificationClasses.Generic),
        ('$', NotificationClasses.String),
        ('l', NotificationClasses.List),
        ('s', NotificationClasses.Set),
        ('h', NotificationClasses.Hash),
        ('z', NotificationClasses.SortedSet),
        ('x', NotificationClasses.Expired),
        ('e', NotificationClasses.Evicted),
        ('t', NotificationClasses.Stream),
        ('d', NotificationClasses.Module),
        ('n', NotificationClasses.New),
        ('K', NotificationClasses.KeySpace),
        ('E', NotificationClasses.KeyEvent),
        ('m', NotificationClasses.KeyMiss),
    ];

    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "letters of Ag$lshzxeKEtmdn";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        var isRight = words[0].All(letter => s_letters.Any(known => known.Letter == letter));
        text = isRight ? Format(ToClasses(words[0])) : "";
        error = isRight ? "" : "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
        return isRight;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [QuotedWords.Quote(text)];

    /// <summary>The classes of the letters of a held text.</summary>
    internal static NotificationClasses ToClasses(string text)
        => text.Aggregate(
            NotificationClasses.None,
            (classes, letter) => classes | s_letters.First(known => known.Letter == letter).Class);

    private static string Format(NotificationClasses classes)
    {
        var text = "";
        var left = classes;
        foreach (var (letter, members) in s_letters)
        {
            if ((left & members) == members)
            {
                text += letter;
                left &= ~members;
            }
        }

        return text;
    }
}
