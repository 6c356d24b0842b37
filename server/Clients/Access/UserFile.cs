using System.Text;
using Strata.Server.Options;

namespace Strata.Server.Clients.Access;

/// <summary>A file of users, one in a line (aclfile): all of it is right, or nothing of it is taken.</summary>
internal static class UserFile
{
    private const string NothingDone =
        "WARNING: ACL errors detected, no change to the previously active ACL rules was performed";

    /// <summary>Reads a file. Waits for the disk.</summary>
    /// <param name="path">The file.</param>
    /// <param name="begin">Makes a user that may do nothing yet.</param>
    /// <param name="users">The users by name.</param>
    /// <returns>All that is wrong with it, in Redis's words; empty if nothing is.</returns>
    public static string Read(string path, Func<UserDraft> begin, out Dictionary<string, AccessUser> users)
    {
        users = new(StringComparer.Ordinal);
        var shownPath = ConfigurationText.FromUnicode(path);
        string[] lines;
        try
        {
            lines = File.ReadAllText(path, Encoding.Latin1).Split('\n');
        }
        catch (Exception failure) when (FileError.Is(failure))
        {
            return $"Error loading ACLs, opening file '{shownPath}': {FileError.Reason(failure)}";
        }

        var errors = new StringBuilder();
        for (var i = 0; i < lines.Length; i++)
        {
            var line = lines[i].Trim(' ', '\t', '\r', '\n');
            if (line.Length > 0)
            {
                ReadLine(line.Split(' '), $"{shownPath}:{i + 1}", i + 1, begin(), users, errors);
            }
        }

        return errors.Length == 0 ? "" : errors.Append(NothingDone).ToString();
    }

    private static void ReadLine(
        string[] words,
        string place,
        int number,
        UserDraft draft,
        Dictionary<string, AccessUser> users,
        StringBuilder errors)
    {
        if (words[0] != UserLine.Directive || words.Length < 2)
        {
            errors.Append($"{place} should start with user keyword followed by the username. ");
        }
        else if (RuleText.HasBlanks(words[1]))
        {
            errors.Append($"'{place}: username '{words[1]}' contains invalid characters. ");
        }
        else if (users.ContainsKey(words[1]))
        {
            errors.Append($"WARNING: Duplicate user '{words[1]}' found on line {number}. ");
        }
        else if (!UserRules.TryMerge(words[2..], out var rules, out _))
        {
            errors.Append($"{place}: Unmatched parenthesis in selector definition.");
        }
        else
        {
            Apply(rules, place, draft, errors);
            users[words[1]] = new AccessUser(words[1], draft);
        }
    }

    /// <summary>Of what is wrong in a line, all unknown names are told of, and of the rest the first: it may be what
    /// others follow from.</summary>
    private static void Apply(List<string> rules, string place, UserDraft draft, StringBuilder errors)
    {
        var isTold = false;
        foreach (var given in rules)
        {
            var rule = given.Trim('\t', '\r', '\n');
            var problem = draft.Apply(rule);
            if (problem == RuleProblem.UnknownCommand)
            {
                errors.Append($"{place}: Error in applying operation '{rule}': {problem.Text}. ");
            }
            else if (problem != RuleProblem.None && !isTold)
            {
                errors.Append($"{place}: {problem.Text}. ");
                isTold = true;
            }
        }
    }
}
