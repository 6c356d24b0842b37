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
        var errors = new StringBuilder();
        try
        {
            using var lines = new Lines(path);
            using var words = new WordBuffer();
            for (var number = 1; lines.TryRead(out var line); number++)
            {
                line = line.Trim(" \t\r\n"u8);
                if (line.Length > 0)
                {
                    words.Clear();
                    foreach (var range in line.Split((byte)' '))
                    {
                        words.Add(line[range]);
                    }

                    using var draft = begin();
                    ReadLine(words, $"{shownPath}:{number}", number, draft, users, errors);
                }
            }
        }
        catch (Exception failure) when (FileError.Is(failure))
        {
            return $"Error loading ACLs, opening file '{shownPath}': {FileError.Reason(failure)}";
        }

        return errors.Length == 0 ? "" : errors.Append(NothingDone).ToString();
    }

    private static void ReadLine(
        WordBuffer words,
        string place,
        int number,
        UserDraft draft,
        Dictionary<string, AccessUser> users,
        StringBuilder errors)
    {
        using var rules = new WordBuffer();
        var name = words.Count < 2 ? "" : words.TextAt(1);
        if (words.TextAt(0) != UserLine.Directive || words.Count < 2)
        {
            errors.Append($"{place} should start with user keyword followed by the username. ");
        }
        else if (RuleText.HasBlanks(name))
        {
            errors.Append($"'{place}: username '{name}' contains invalid characters. ");
        }
        else if (users.ContainsKey(name))
        {
            errors.Append($"WARNING: Duplicate user '{name}' found on line {number}. ");
        }
        else if (!UserRules.TryMerge(words, first: 2, rules, out _))
        {
            errors.Append($"{place}: Unmatched parenthesis in selector definition.");
        }
        else
        {
            Apply(rules, place, draft, errors);
            users[name] = new AccessUser(name, draft);
        }
    }

    /// <summary>Of what is wrong in a line, all unknown names are told of, and of the rest the first: it may be what
    /// others follow from.</summary>
    private static void Apply(WordBuffer rules, string place, UserDraft draft, StringBuilder errors)
    {
        var isTold = false;
        for (var i = 0; i < rules.Count; i++)
        {
            var rule = rules[i].Trim("\t\r\n"u8);
            var problem = draft.Apply(rule);
            if (problem == RuleProblem.UnknownCommand)
            {
                var text = ConfigurationText.FromBytes(rule);
                errors.Append($"{place}: Error in applying operation '{text}': {problem.Text}. ");
            }
            else if (problem != RuleProblem.None && !isTold)
            {
                errors.Append($"{place}: {problem.Text}. ");
                isTold = true;
            }
        }
    }

    /// <summary>The lines of a file, one at a time, without their ends.</summary>
    private sealed class Lines(string path) : IDisposable
    {
        private const int PieceBytes = 64 << 10;

        private readonly FileStream _file = File.OpenRead(path);
        private readonly WordBuffer _line = new();
        private readonly byte[] _piece = new byte[PieceBytes];
        private int _start;
        private int _end;
        private bool _hasEnded;

        /// <summary>Reads the next line.</summary>
        /// <returns>False behind the last one.</returns>
        public bool TryRead(out ReadOnlySpan<byte> line)
        {
            _line.Clear();
            _line.Add([]);
            while (TryReadPiece())
            {
                var left = _piece.AsSpan(_start.._end);
                var length = left.IndexOf((byte)'\n');
                _line.Extend(length < 0 ? left : left[..length]);
                _start = length < 0 ? _end : _start + length + 1;
                if (length >= 0)
                {
                    line = _line[0];
                    return true;
                }
            }

            line = _line[0];
            var isLast = !_hasEnded;
            _hasEnded = true;
            return isLast;
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            _file.Dispose();
            _line.Dispose();
        }

        private bool TryReadPiece()
        {
            if (_start == _end && !_hasEnded)
            {
                (_start, _end) = (0, _file.Read(_piece));
            }

            return _start < _end;
        }
    }
}
