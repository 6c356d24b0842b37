using System.Globalization;
using System.Text;
using Strata.Server.Text;
using Strata.Storage.Memory;

namespace Strata.Server.Journal.Files;

/// <summary>
/// A manifest as text, in the form of Redis 7: lines <c>file NAME seq N type b|h|i</c>, comments that begin with
/// <c>#</c>, names in quotes where they need it. What is not known, as what later versions add, is skipped. The last
/// line of what this server writes is a comment with the CRC-32C of all before it; where it stands, it must be right.
/// Source: Redis's aof.c for what it accepts, and its words for what it does not.
/// </summary>
internal static class ManifestText
{
    private const int MaxLineBytes = 1024;
    private const string NotAName = "File can't be a path, just a filename";
    private const string Invalid = "Invalid AOF manifest file format";

    /// <summary>What a manifest says that lists nothing: Redis takes none without a line.</summary>
    private const string NothingYet = "# No files yet.\n";

    private static ReadOnlySpan<byte> ChecksumStart => "#STRATA manifest crc32c "u8;

    /// <summary>Reads a manifest.</summary>
    /// <param name="text">Its bytes.</param>
    /// <param name="path">Where it lies, for messages.</param>
    /// <exception cref="JournalException">It is not right.</exception>
    public static Manifest Read(ReadOnlySpan<byte> text, string path)
    {
        if (text.IsEmpty)
        {
            throw Bad("Found an empty AOF manifest", path, 0, 0, "");
        }

        RequireChecksum(text, path);
        var reader = new Contents(Path.GetFileName(path));
        for (var (at, number) = (0, 1); at < text.Length; number++)
        {
            var rest = text[at..];
            var end = rest.IndexOf((byte)'\n');
            var line = Encoding.Latin1.GetString(rest[..(end < 0 ? Math.Min(rest.Length, MaxLineBytes) : end)]);
            var problem = line.StartsWith('#') && end >= 0
                ? null
                : end is < 0 or >= MaxLineBytes
                    ? "The AOF manifest file contains too long line"
                    : reader.Add(line.Trim(' ', '\t', '\r', '\n'));
            if (problem is not null)
            {
                throw Bad(problem, path, at, number, line);
            }

            at += end + 1;
        }

        return new Manifest(reader.Base, reader.History, reader.Increments);
    }

    /// <summary>Writes a manifest.</summary>
    public static byte[] Write(Manifest manifest)
    {
        var text = new StringBuilder();
        if (manifest.Base is not null)
        {
            Write(manifest.Base, text);
        }

        foreach (var part in manifest.History)
        {
            Write(part, text);
        }

        foreach (var part in manifest.Increments)
        {
            Write(part, text);
        }

        var lines = Encoding.Latin1.GetBytes(text.Length == 0 ? NothingYet : text.ToString());
        return [.. lines, .. ChecksumLine(lines)];
    }

    /// <summary>Looks whether all is as it was written, where that can be told: Redis's own have no checksum.</summary>
    private static void RequireChecksum(ReadOnlySpan<byte> text, string path)
    {
        var at = text.LastIndexOf(ChecksumStart);
        while (at > 0 && text[at - 1] != '\n')
        {
            at = text[..at].LastIndexOf(ChecksumStart);
        }

        if (at >= 0 && !text[at..].SequenceEqual(ChecksumLine(text[..at])))
        {
            throw new JournalException(
                $"Bad AOF manifest '{path}': it is not what was written, by the checksum in its last line. Restore it "
                + "from a backup; or, if it was changed by hand, remove the line that begins with "
                + $"'{Encoding.Latin1.GetString(ChecksumStart)}'", path, at);
        }
    }

    private static unsafe byte[] ChecksumLine(ReadOnlySpan<byte> lines)
    {
        fixed (byte* bytes = lines)
        {
            var crc = ~Crc32C.Continue(Crc32C.Begin, bytes, lines.Length);
            return [.. ChecksumStart, .. Encoding.Latin1.GetBytes($"{crc:x8}\n")];
        }
    }

    private static void Write(ManifestPart part, StringBuilder text)
    {
        // The file is one of bytes: a letter for each until here.
        var name = Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(part.Name));
        name = NeedsQuotes(name) ? QuotedWords.Quote(name) : name;
        text.Append(CultureInfo.InvariantCulture, $"file {name} seq {part.Sequence} type {(char)part.Kind}\n");
    }

    private static bool NeedsQuotes(string name)
    {
        foreach (var c in name)
        {
            if (c is <= ' ' or > '~' or '\\' or '"' or '\'')
            {
                return true;
            }
        }

        return name.Length == 0;
    }

    private static JournalException Bad(string problem, string path, long offset, int number, string line)
        => new($"Bad AOF manifest '{path}', line {number} '{line}': {problem}. Restore it from a backup, or put it "
            + "right by hand: each line is as in 'file appendonly.aof.1.incr.aof seq 1 type i'", path, offset);

    /// <summary>What was read so far.</summary>
    /// <param name="manifestName">The manifest's own name.</param>
    private sealed class Contents(string manifestName)
    {
        private readonly HashSet<string> _names = [];

        public ManifestPart? Base { get; private set; }

        public List<ManifestPart> History { get; } = [];

        public List<ManifestPart> Increments { get; } = [];

        /// <summary>Reads one line.</summary>
        /// <returns>What is wrong with it, or null.</returns>
        public string? Add(string line)
        {
            if (!QuotedWords.TrySplit(line, out var words) || words.Count < 6 || words.Count % 2 != 0)
            {
                return Invalid;
            }

            var (name, sequence, kind) = ("", 0L, '\0');
            for (var i = 0; i < words.Count; i += 2)
            {
                var value = words[i + 1];
                if (IsKey(words[i], "file"))
                {
                    name = Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(value));
                    if (value.AsSpan().IndexOfAny('/', '\\') >= 0)
                    {
                        return NotAName;
                    }
                }
                else if (IsKey(words[i], "seq"))
                {
                    _ = long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out sequence);
                }
                else if (IsKey(words[i], "type"))
                {
                    kind = value.Length > 0 ? value[0] : '\0';
                }
            }

            return name.Length == 0 || sequence == 0 || kind == '\0' ? Invalid : Add(name, sequence, kind);
        }

        private string? Add(string name, long sequence, char kind)
        {
            if (name == manifestName)
            {
                return "Found the manifest's own name";
            }

            if (!_names.Add(name))
            {
                return "Found a file that is listed twice";
            }

            var part = new ManifestPart(name, sequence, (ManifestPartKind)kind);
            switch (part.Kind)
            {
                case ManifestPartKind.Base when Base is not null:
                    return "Found duplicate base file information";
                case ManifestPartKind.Base:
                    Base = part;
                    return null;
                case ManifestPartKind.History:
                    History.Add(part);
                    return null;
                case ManifestPartKind.Increment when Increments.Count > 0 && sequence <= Increments[^1].Sequence:
                    return "Found a non-monotonic sequence number";
                case ManifestPartKind.Increment:
                    Increments.Add(part);
                    return null;
                default:
                    return "Unknown AOF file type";
            }
        }

        private static bool IsKey(string word, string key) => word.Equals(key, StringComparison.OrdinalIgnoreCase);
    }
}
