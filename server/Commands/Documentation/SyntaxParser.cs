using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>
/// Turns the syntax of a row (<c>key value [NX|XX] [EX seconds|PX milliseconds]</c>) into COMMAND DOCS's argument tree.
/// Words in capitals stand for themselves, <c>[…]</c> is optional, <c>&lt;…&gt;</c> groups, <c>|</c> separates
/// choices, and <c>x [x ...]</c> means one or more.
/// </summary>
internal static class SyntaxParser
{
    private const string Ellipsis = "...";

    /// <summary>The arguments of a row's command.</summary>
    /// <exception cref="FormatException">The row's syntax has a bracket without its partner.</exception>
    public static IReadOnlyList<ArgumentNode> Parse(CommandRow row)
    {
        var nodes = ParseText(row.Syntax, row);
        var position = row.Container == null ? 1 : 2;
        for (var i = 0; i < nodes.Count && !nodes[i].IsOptional; i++, position++)
        {
            nodes[i] = WithKey(nodes[i], row, position);
        }

        return nodes;
    }

    private static ArgumentNode WithKey(ArgumentNode node, CommandRow row, int position)
    {
        var spec = Covers(row.Keys, position) ? 0 : Covers(row.SecondKeys, position) ? 1 : -1;
        return spec < 0 ? node
            : node.Type == ArgumentType.Block
                ? node with { Children = [WithKey(node.Children[0], row, position), .. node.Children.Skip(1)] }
            : node with { Type = ArgumentType.Key, KeySpecIndex = spec };
    }

    private static bool Covers(KeySpec keys, int position)
        => keys.CountAt > 0
            ? position == keys.CountAt + 1
            : keys.AreKeys && position >= keys.First && position <= Math.Max(keys.First, keys.Last)
                && (position - keys.First) % keys.Step == 0;

    private static List<ArgumentNode> ParseText(string text, CommandRow row)
    {
        text = text.Trim();
        if (TryFindRepetition(text, out var head, out var repeated, out var tail))
        {
            return [.. ParseText(head, row), Repeat(ParseText(repeated, row)), .. ParseText(tail, row)];
        }

        var choices = SplitChoices(text);
        return choices.Count == 1
            ? ParseSequence(text, row)
            : [OneOf([.. choices.Select(choice => Single(ParseText(choice, row)))])];
    }

    /// <summary>Finds <c>x [x ...]</c>, where x may be any text before the bracket.</summary>
    private static bool TryFindRepetition(string text, out string head, out string repeated, out string tail)
    {
        (head, repeated, tail) = ("", "", "");
        for (var at = 0; at < text.Length; at++)
        {
            if (text[at] is not ('[' or '<'))
            {
                continue;
            }

            var end = PartnerOf(text, at);
            var inner = text[(at + 1)..end].TrimEnd();
            var before = text[..at].TrimEnd();
            if (inner.EndsWith(Ellipsis, StringComparison.Ordinal))
            {
                repeated = inner[..^Ellipsis.Length].TrimEnd();
                if (before.EndsWith(repeated, StringComparison.Ordinal))
                {
                    head = before[..^repeated.Length];
                    tail = text[(end + 1)..];
                    return SplitChoices(head).Count == 1;
                }
            }

            at = end;
        }

        return false;
    }

    private static List<string> SplitChoices(string text)
    {
        var choices = new List<string>();
        var start = 0;
        for (var at = 0; at < text.Length; at++)
        {
            if (text[at] is '[' or '<')
            {
                at = PartnerOf(text, at);
            }
            else if (text[at] == '|')
            {
                choices.Add(text[start..at]);
                start = at + 1;
            }
        }

        choices.Add(text[start..]);
        return choices;
    }

    private static List<ArgumentNode> ParseSequence(string text, CommandRow row)
    {
        var nodes = new List<ArgumentNode>();
        string? token = null;
        var tokenAt = 0;
        foreach (var item in Items(text))
        {
            if (item[0] == '[')
            {
                EndToken(nodes, token, tokenAt);
                token = null;
                nodes.Add(Single(ParseText(item[1..^1], row)) with { IsOptional = true });
            }
            else if (item[0] == '<')
            {
                nodes.Add(Single(ParseText(item[1..^1], row)));
            }
            else if (char.IsAsciiLetterUpper(item[0]))
            {
                EndToken(nodes, token, tokenAt);
                token = item;
                tokenAt = nodes.Count;
            }
            else
            {
                nodes.Add(new ArgumentNode(item, ArgumentTypes.Of(item, row)));
            }
        }

        EndToken(nodes, token, tokenAt);
        return nodes;
    }

    /// <summary>Gives the arguments behind a word in capitals that word.</summary>
    private static void EndToken(List<ArgumentNode> nodes, string? token, int tokenAt)
    {
        if (token == null)
        {
            return;
        }

        var behind = nodes[tokenAt..];
        nodes.RemoveRange(tokenAt, behind.Count);
        nodes.Add(behind.Count == 0
            ? new ArgumentNode(token.ToLowerInvariant(), ArgumentType.PureToken) { Token = token }
            : behind.Count == 1
                ? behind[0] with { Token = token }
                : Block(token.ToLowerInvariant(), behind) with { Token = token });
    }

    private static IEnumerable<string> Items(string text)
    {
        for (var at = 0; at < text.Length;)
        {
            if (text[at] == ' ')
            {
                at++;
                continue;
            }

            var end = text[at] is '[' or '<' ? PartnerOf(text, at) + 1 : text.IndexOfAny([' ', '[', '<'], at);
            end = end < 0 ? text.Length : end;
            yield return text[at..end];
            at = end;
        }
    }

    private static int PartnerOf(string text, int open)
    {
        var depth = 0;
        for (var at = open; at < text.Length; at++)
        {
            depth += text[at] is '[' or '<' ? 1 : text[at] is ']' or '>' ? -1 : 0;
            if (depth == 0)
            {
                return at;
            }
        }

        throw new FormatException($"'{text}' has a bracket that is not closed");
    }

    private static ArgumentNode Single(List<ArgumentNode> nodes)
        => nodes.Count == 1 ? nodes[0] : Block(nodes[0].Name, nodes);

    private static ArgumentNode Block(string name, IReadOnlyList<ArgumentNode> parts)
        => new(name, ArgumentType.Block) { Children = parts };

    private static ArgumentNode OneOf(IReadOnlyList<ArgumentNode> choices)
        => new(string.Join('|', choices.Select(choice => choice.Name)), ArgumentType.OneOf) { Children = choices };

    private static ArgumentNode Repeat(List<ArgumentNode> nodes)
    {
        var node = Single(nodes);
        return node with { IsMultiple = true, IsTokenRepeated = node.Token != null };
    }
}
