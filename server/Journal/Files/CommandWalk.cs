using Strata.Storage.Strings;

namespace Strata.Server.Journal.Files;

/// <summary>Goes from command to command of a file without checksums, by their lengths, in bounded memory. It takes
/// what Redis writes: arrays of bulk strings, and lines that begin with <c>#</c>.</summary>
internal sealed class CommandWalk
{
    /// <summary>The longest line that begins with <c>#</c>: Redis reads no longer one.</summary>
    public const int MaxAnnotationBytes = 1024;

    // The type, nineteen digits, CR LF.
    private const int MaxNumberBytes = 22;

    private readonly FileWindow _window;

    /// <summary>A walk in a window.</summary>
    public CommandWalk(FileWindow window)
    {
        _window = window;
    }

    /// <summary>Whether lines other than Redis's of the time are broken: where none can be.</summary>
    public bool KnowsOnlyTimes { get; set; }

    /// <summary>Looks at what stands at a place.</summary>
    /// <param name="position">The place.</param>
    /// <param name="next">Where what is behind it begins; for what is torn or broken, the place itself.</param>
    public WalkedItem Step(long position, out long next)
    {
        next = position;
        if (position == _window.Length)
        {
            return WalkedItem.End;
        }

        return _window.At(position, 1)[0] switch
        {
            (byte)'*' => StepOverCommand(position, ref next),
            (byte)'#' => StepOverAnnotation(position, ref next),
            _ => WalkedItem.Broken,
        };
    }

    /// <summary>Finds where the whole commands end from a place on, without a transaction that has no end.</summary>
    /// <param name="position">The place.</param>
    /// <param name="wholeEnd">Where they end.</param>
    /// <param name="mark">A place; <paramref name="behindMark"/> is where the first unit ends at or behind it.</param>
    /// <param name="behindMark">See <paramref name="mark"/>; -1 for nowhere.</param>
    /// <returns>What stands there: <see cref="WalkedItem.End"/>, <see cref="WalkedItem.Torn"/> or
    /// <see cref="WalkedItem.Broken"/>.</returns>
    public WalkedItem WalkToEnd(long position, out long wholeEnd, long mark, out long behindMark)
    {
        wholeEnd = position;
        behindMark = -1;
        while (true)
        {
            var item = StepOverUnit(position, out var next);
            if (item is WalkedItem.End or WalkedItem.Torn or WalkedItem.Broken)
            {
                return item;
            }

            position = wholeEnd = next;
            behindMark = behindMark < 0 && next >= mark ? next : behindMark;
        }
    }

    /// <summary>As <see cref="Step"/>, but a transaction is one.</summary>
    public WalkedItem StepOverUnit(long position, out long next)
    {
        var start = position;
        var item = Step(position, out next);
        if (item != WalkedItem.Multi)
        {
            return item == WalkedItem.Exec ? WalkedItem.Broken : item;
        }

        while (true)
        {
            position = next;
            item = Step(position, out next);
            switch (item)
            {
                case WalkedItem.Exec:
                    return WalkedItem.Multi;
                case WalkedItem.Command or WalkedItem.Annotation:
                    continue;
                default:
                    next = start;
                    return item is WalkedItem.End ? WalkedItem.Torn
                        : item is WalkedItem.Multi ? WalkedItem.Broken : item;
            }
        }
    }

    private WalkedItem StepOverAnnotation(long position, ref long next)
    {
        var text = _window.At(position, MaxAnnotationBytes);
        var line = text[..Math.Min(text.Length, MaxAnnotationBytes)];
        var end = line.IndexOf((byte)'\n');
        if (end < 0)
        {
            return line.Length == MaxAnnotationBytes ? WalkedItem.Broken : WalkedItem.Torn;
        }

        if (KnowsOnlyTimes && !JournalLines.TryReadStamp(line, out _))
        {
            return WalkedItem.Broken;
        }

        next = position + end + 1;
        return WalkedItem.Annotation;
    }

    private WalkedItem StepOverCommand(long position, ref long next)
    {
        var item = StepOverNumber(position, (byte)'*', 1, out var count, out var at);
        var kind = WalkedItem.Command;
        for (var i = 0L; item == WalkedItem.Command && i < count; i++)
        {
            item = StepOverNumber(at, (byte)'$', 0, out var bytes, out var start);
            if (item != WalkedItem.Command)
            {
                break;
            }

            if (_window.Length - start < bytes + 2)
            {
                return WalkedItem.Torn;
            }

            kind = i == 0 ? KindOf(start, bytes) : kind;
            at = start + bytes + 2;
            item = _window.At(at - 2, 2)[..2].SequenceEqual("\r\n"u8) ? item : WalkedItem.Broken;
        }

        if (item != WalkedItem.Command)
        {
            return item;
        }

        next = at;
        return kind;
    }

    private WalkedItem KindOf(long start, long bytes)
    {
        if (bytes is not (4 or 5))
        {
            return WalkedItem.Command;
        }

        var verb = _window.At(start, (int)bytes)[..(int)bytes];
        return System.Text.Ascii.EqualsIgnoreCase(verb, "multi"u8) ? WalkedItem.Multi
            : System.Text.Ascii.EqualsIgnoreCase(verb, "exec"u8) ? WalkedItem.Exec : WalkedItem.Command;
    }

    /// <summary>Reads a number behind its type.</summary>
    /// <returns><see cref="WalkedItem.Command"/> where there is one.</returns>
    private WalkedItem StepOverNumber(long position, byte type, long least, out long number, out long next)
    {
        number = 0;
        next = position;
        var text = _window.At(position, MaxNumberBytes);
        var line = text[..Math.Min(text.Length, MaxNumberBytes)];
        if (line.IsEmpty)
        {
            return WalkedItem.Torn;
        }

        if (line[0] != type)
        {
            return WalkedItem.Broken;
        }

        var end = line.IndexOf((byte)'\r');
        var digits = line[1..(end < 0 ? line.Length : end)];
        if (end < 0 || end + 1 == line.Length)
        {
            var isShort = line.Length < MaxNumberBytes && digits.IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0;
            return isShort ? WalkedItem.Torn : WalkedItem.Broken;
        }

        next = position + end + 2;
        return CanonicalInteger.TryParse(digits, out number) && number >= least && number <= int.MaxValue
            && line[end + 1] == '\n'
            ? WalkedItem.Command
            : WalkedItem.Broken;
    }
}
