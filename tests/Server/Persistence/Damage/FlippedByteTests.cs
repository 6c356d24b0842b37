using System.Globalization;
using NUnit.Framework;
using Strata.Server.Lifecycle;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Persistence.Damage;

/// <summary>
/// Data files of which one byte is not what was written: each key has the value that it must have, or an error, or the
/// start is refused and leaves the files as they were; of the journal's end some may be cut off, which is said. Places
/// follow from a seed, which is printed: <c>FLIP_SEED</c> is the random one, and <c>FLIPS</c> how many of each kind of
/// folder are tried.
/// </summary>
[TestFixture]
[Category(TestCategories.Long)]
internal sealed class FlippedByteTests
{
    private const int UsualFlips = 25;
    private const int FixedSeed = 20;

    // Where names, salts and first lines are: of few bytes much depends on each.
    private const int HeadBytes = 64;

    private static readonly string[] s_none = [];

    [Test]
    public void No_wrong_value_is_served([Values("tier", "journal", "rdb")] string kind)
    {
        using var folder = kind switch
        {
            "tier" => KeptFolder.OfTier(),
            "journal" => KeptFolder.OfJournal(),
            _ => KeptFolder.OfRdb(),
        };
        Expect(Outcome.Right, Try(folder, folder.Copy(), s_none, out var why), "nothing flipped: " + why);
        var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
        Run(folder, FixedSeed, UsualFlips, counts);
        var seedText = Environment.GetEnvironmentVariable("FLIP_SEED");
        var seed = string.IsNullOrEmpty(seedText)
            ? Random.Shared.Next()
            : int.Parse(seedText, CultureInfo.InvariantCulture);
        var flipsText = Environment.GetEnvironmentVariable("FLIPS");
        var flips = string.IsNullOrEmpty(flipsText)
            ? UsualFlips
            : int.Parse(flipsText, CultureInfo.InvariantCulture);
        TestContext.Out.WriteLine($"FLIP_SEED={seed}");
        Run(folder, seed, flips, counts);
        foreach (var (what, count) in counts)
        {
            TestContext.Out.WriteLine($"{kind}: {what}: {count}");
        }
    }

    private static void Run(KeptFolder folder, int seed, int flips, SortedDictionary<string, int> counts)
    {
        var random = new Random(seed);
        var files = folder.Files.GroupBy(KindOf).ToArray();
        for (var i = 0; i < flips; i++)
        {
            var kind = files[random.Next(files.Length)].ToArray();
            var flip = Flip.Choose(folder.Copy(), kind[random.Next(kind.Length)], random, HeadBytes);
            var outcome = TryFlipped(folder, flip);
            var what = $"{KindOf(flip.File)}: {outcome}";
            counts[what] = counts.GetValueOrDefault(what) + 1;
        }
    }

    private static Outcome TryFlipped(KeptFolder folder, Flip flip)
    {
        try
        {
            flip.Do();
            var outcome = Try(folder, flip.Folder, folder.Files, out var why);
            Assert.That(outcome, Is.Not.EqualTo(Outcome.Wrong), $"{flip}: {why}");
            if (outcome == Outcome.Refused)
            {
                flip.Do(); // Back again.
                Expect(Outcome.Right, Try(folder, flip.Folder, s_none, out why), $"{flip} and back: {why}");
            }

            return outcome;
        }
        finally
        {
            Directory.Delete(flip.Folder, recursive: true);
        }
    }

    private static void Expect(Outcome expected, Outcome outcome, string what)
        => Assert.That(outcome, Is.EqualTo(expected), what);

    /// <summary>Starts a server, and asks it for everything.</summary>
    /// <param name="folder">What is known of the data.</param>
    /// <param name="copy">Where the files lie.</param>
    /// <param name="files">What must be there where it refuses to start.</param>
    /// <param name="why">What it says, or what is wrong.</param>
    private static Outcome Try(KeptFolder folder, string copy, IReadOnlyList<string> files, out string? why)
    {
        try
        {
            using var server = folder.Start(copy);
            why = folder.FirstWrong(server, out var errors, out var isCut);
            if (why != null)
            {
                return Outcome.Wrong;
            }

            if (isCut && !server.Log.Texts.Any(static text => text.Contains("were cut off", StringComparison.Ordinal)))
            {
                why = "the end is missing, and the log says nothing";
                return Outcome.Wrong;
            }

            return isCut ? Outcome.Cut : errors > 0 ? Outcome.KeysLost : Outcome.Right;
        }
        catch (StartupException exception)
        {
            why = exception.Message;
            foreach (var file in files)
            {
                Assert.That(Path.Combine(copy, file), Does.Exist, $"after a start that is refused: {why}");
            }

            return Outcome.Refused;
        }
    }

    private static string KindOf(string file)
    {
        var name = Path.GetFileName(file);
        return name.StartsWith("segment.", StringComparison.Ordinal) ? "segment"
            : name.EndsWith(".manifest", StringComparison.Ordinal) ? "manifest"
            : Path.GetExtension(name) is { Length: > 0 } extension ? extension
            : name;
    }

    private enum Outcome
    {
        Right,
        KeysLost,
        Cut,
        Refused,
        Wrong,
    }

    /// <summary>A byte of a file, and what it is made.</summary>
    private sealed record Flip(string Folder, string File, long At, byte Bits)
    {
        public static Flip Choose(string folder, string file, Random random, int headBytes)
        {
            var length = LengthOf(System.IO.File.ReadAllBytes(Path.Combine(folder, file)));
            var at = random.Next(4) == 0 ? random.NextInt64(Math.Min(length, headBytes)) : random.NextInt64(length);
            var bits = random.Next(2) == 0 ? 1 << random.Next(8) : 1 + random.Next(255);
            return new Flip(folder, file, at, (byte)bits);
        }

        /// <summary>Up to where a file says something, and a little more: the rest is room that was taken ahead.
        /// </summary>
        private static long LengthOf(ReadOnlySpan<byte> bytes)
            => Math.Min(bytes.Length, bytes.TrimEnd("\0#\n"u8).Length + 100);

        /// <summary>Flips it; a second time, back.</summary>
        public void Do()
        {
            using var file = System.IO.File.Open(Path.Combine(Folder, File), FileMode.Open);
            file.Position = At;
            var value = file.ReadByte();
            file.Position = At;
            file.WriteByte((byte)(value ^ Bits));
        }
    }
}
