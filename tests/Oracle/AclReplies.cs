using System.Text.RegularExpressions;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>What of ACL's replies, and of refusals, differs between Redis 7.0 and 7.2, which Strata follows.</summary>
internal static partial class AclReplies
{
    private const int FieldsOf70 = 5;
    private const string OfExec = "EXECABORT Transaction discarded because of: ";

    private static readonly RespValue s_rules = RespValue.Simple("(rules)");

    /// <summary>What is compared of a reply that isn't an error.</summary>
    public static RespValue Normalize(RespCommand command, RespValue reply) => command.Subcommand switch
    {
        // 7.0 makes up rules that come to the same, and knows no flag for what is always done.
        "GETUSER" => WithoutRules(reply),
        "LIST" => new RespValue(reply.Kind, [.. reply.Items.Select(static _ => s_rules)]),

        // 7.2 names the user.
        "DRYRUN" when !reply.IsAggregate => RespValue.Simple(WithoutUser(reply.Text)),

        // 7.2 has more fields, and the times and the client are each server's own.
        "LOG" when reply.IsAggregate => new RespValue(reply.Kind, [.. reply.Items.Select(static entry => new RespValue(
            entry.Kind, [.. entry.Items.Take(2 * FieldsOf70)]))]),

        // Not the same commands are there.
        "CAT" when command.Arguments.Count == 3 => RespValue.Simple("(commands)"),
        "GENPASS" => RespValue.Simple($"{reply.Text.Length} digits"),
        "HELP" => reply.Items.Count < 2 ? reply : new RespValue(reply.Kind, [.. reply.Items.SkipLast(1)]),
        _ => reply,
    };

    /// <summary>Whether two refusals say the same: 7.2 names the user, and says less of keys and channels.</summary>
    public static bool AreSameErrors(string actual, string expected)
        => actual.StartsWith(OfExec, StringComparison.Ordinal) && expected.StartsWith(OfExec, StringComparison.Ordinal)
            ? AreSameErrors(actual[OfExec.Length..], expected[OfExec.Length..])
            : Refusal().IsMatch(actual) && MeaningOf(actual) == MeaningOf(expected);

    private static RespValue WithoutRules(RespValue reply)
    {
        var items = reply.Items.ToArray();
        for (var i = 0; i + 1 < items.Length; i += 2)
        {
            items[i + 1] = items[i].Text switch
            {
                "commands" => s_rules,
                "flags" => new RespValue(
                    items[i + 1].Kind,
                    [.. items[i + 1].Items.Where(static flag => flag.Text != "sanitize-payload")]),
                "selectors" => new RespValue(items[i + 1].Kind, [.. items[i + 1].Items.Select(WithoutRules)]),
                _ => items[i + 1],
            };
        }

        return new RespValue(reply.Kind, items);
    }

    private static string WithoutUser(string text) => NamedUser().Replace(text, "This user has");

    private static string MeaningOf(string error)
    {
        var isOfScript = error.StartsWith("ERR", StringComparison.Ordinal);
        var end = isOfScript && error.IndexOf(" script: ", 20, StringComparison.Ordinal) is > 0 and var at
            ? error[at..]
            : "";
        var text = NamedUser().Replace(error[..^end.Length], "this user has");
        var what = text.Contains("a key", StringComparison.Ordinal) || text.Contains("keys", StringComparison.Ordinal)
            ? "key"
            : text.Contains("channel", StringComparison.Ordinal) ? "channel"
            : isOfScript ? "command"
            : text;
        return $"{isOfScript} {what}{end}";
    }

    [GeneratedRegex("^NOPERM (No permissions|User )|^ERR ACL failure in script: ")]
    private static partial Regex Refusal();

    [GeneratedRegex("User [a-z]* has")]
    private static partial Regex NamedUser();
}
