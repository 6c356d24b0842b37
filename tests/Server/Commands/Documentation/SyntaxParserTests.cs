using NUnit.Framework;
using Strata.Server.Commands;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;

namespace Strata.Tests.Server.Commands.Documentation;

[TestFixture]
internal sealed class SyntaxParserTests
{
    [TestCase("", "")]
    [TestCase("key", "key:string")]
    [TestCase("[message]", "message:string?")]
    [TestCase("key [key ...]", "key:string+")]
    [TestCase("[section [section ...]]", "section:string?+")]
    [TestCase("key value [key value ...]", "key:block+(key:string value:string)")]
    [TestCase("key [NX|XX]", "key:string nx|xx:oneof?(nx:pure-token=NX xx:pure-token=XX)")]
    [TestCase("[EX seconds|KEEPTTL]", "seconds|keepttl:oneof?(seconds:integer=EX keepttl:pure-token=KEEPTTL)")]
    [TestCase("[LIMIT offset count]", "limit:block=LIMIT?(offset:integer count:integer)")]
    [TestCase("[start end [BYTE|BIT]]",
        "start:block?(start:integer end:integer byte|bit:oneof?(byte:pure-token=BYTE bit:pure-token=BIT))")]
    [TestCase("[BY pattern [BY pattern ...]]", "pattern:pattern=BY?+*")]
    [TestCase("<AND|OR> destkey", "and|or:oneof(and:pure-token=AND or:pure-token=OR) destkey:string")]
    [TestCase("FILTERBY <MODULE name|PATTERN pattern>",
        "name|pattern:oneof=FILTERBY(name:string=MODULE pattern:pattern=PATTERN)")]
    [TestCase("[GET a|SET b [GET a|SET b ...]]", "a|b:oneof?+(a:string=GET b:string=SET)")]
    public void A_syntax_becomes_a_tree(string syntax, string tree)
        => Assert.That(Show(SyntaxParser.Parse(Row(syntax, KeySpec.None))), Is.EqualTo(tree));

    [Test]
    public void Keys_are_known_by_their_position_and_kind()
    {
        var row = Row("source destination [DB destination-db]", KeySpec.One(KeyAccess.ReadOnly), new(2, 2, 1, default));

        var nodes = SyntaxParser.Parse(row);

        Assert.That(Show(nodes), Is.EqualTo("source:key#0 destination:key#1 destination-db:integer=DB?"));
    }

    [Test]
    public void The_key_of_a_repeated_block_is_its_first_part()
    {
        var nodes = SyntaxParser.Parse(Row("key value [key value ...]", new(1, -1, 2, default)));

        Assert.That(Show(nodes), Is.EqualTo("key:block+(key:key#0 value:string)"));
    }

    [Test]
    public void A_bracket_without_its_partner_is_an_error()
        => Assert.That(() => SyntaxParser.Parse(Row("key [NX", KeySpec.None)), Throws.TypeOf<FormatException>());

    [Test]
    public void The_syntax_of_every_command_can_be_read()
    {
        foreach (var row in AllRows(CommandList.Table))
        {
            var least = Math.Abs(row.Arity) - (row.Container == null ? 1 : 2);

            var nodes = SyntaxParser.Parse(row);

            var required = nodes.Where(node => !node.IsOptional).Sum(Width);
            if (row.IsExecutable && row.Syntax.Length > 0)
            {
                Assert.That(required, Is.EqualTo(least), $"{row.FullName} has arity {row.Arity}, but: {Show(nodes)}");
            }
        }
    }

    private static IEnumerable<CommandRow> AllRows(CommandTable table)
        => table.Rows.SelectMany(row => row.Subcommands == null ? [row] : AllRows(row.Subcommands).Prepend(row));

    private static int Width(ArgumentNode node)
        => (node.Token != null && node.Type != ArgumentType.PureToken ? 1 : 0)
            + node.Type switch
            {
                ArgumentType.Block => node.Children.Where(part => !part.IsOptional).Sum(Width),
                ArgumentType.OneOf => node.Children.Min(Width),
                _ => 1,
            };

    private static CommandRow Row(string syntax, KeySpec keys, KeySpec secondKeys = default)
        => new("sample", -1, CommandFlags.None, keys, static _ => { })
        {
            SecondKeys = secondKeys,
            Group = CommandGroup.Generic,
            Since = "1.0.0",
            Summary = "Does nothing.",
            Complexity = "O(1)",
            Syntax = syntax,
        };

    private static string Show(IEnumerable<ArgumentNode> nodes) => string.Join(' ', nodes.Select(Show));

    private static string Show(ArgumentNode node)
        => $"{node.Name}:{ArgumentTypes.Word(node.Type)}"
            + (node.KeySpecIndex >= 0 ? $"#{node.KeySpecIndex}" : "")
            + (node.Token != null ? $"={node.Token}" : "")
            + (node.IsOptional ? "?" : "")
            + (node.IsMultiple ? "+" : "")
            + (node.IsTokenRepeated ? "*" : "")
            + (node.Children.Count > 0 ? $"({Show(node.Children)})" : "");
}
