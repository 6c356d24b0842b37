using System.Diagnostics;
using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Server.Diagnostics.Traffic;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>The curve that each of some servers tells, against what the others with other memory have found of the same
/// reads. What is missing is set. What is read is the seed's, and
/// it comes no faster than so fast, but may as well be slow.</summary>
[TestFixture]
public sealed class CurveAgainstServersTests
{
    private const int Keys = 150_000;
    private const int Reads = 500_000;
    private const int Pipelined = 32;

    // With more, fewer keys are drawn, and chance has it off by more.
    private const int MostReadsPerSecond = 40_000;
    private const double MostOff = 0.01;

    private static readonly string[] s_memory = ["8mb", "16mb", "32mb"];

    [TestCase("allkeys-lru")]
    public void It_is_within_a_point_of_servers_with_other_memory(string policy)
    {
        var servers = s_memory.Select(memory => Play(memory, policy)).ToList();
        var off = new List<double>();
        foreach (var told in servers)
        {
            foreach (var real in servers)
            {
                off.Add(At(told.Curve, real.Curve[told.Curve.FindIndex(static point => point.Factor == 1)].Bytes)
                    - real.HitRatio);
            }
        }

        var message = string.Join(' ', off.Select(static by => $"{100 * by:F2}"));
        TestContext.Out.WriteLine(message);
        Assert.That(off.Average(Math.Abs), Is.LessThan(MostOff), message);
    }

    /// <summary>What a curve says of a size between two of its points.</summary>
    private static double At(List<Point> curve, double bytes)
    {
        var above = curve.FindIndex(point => point.Bytes >= bytes);
        var (from, to) = (curve[Math.Max(0, above - 1)], curve[above]);
        var part = from.Bytes == to.Bytes ? 1 : Math.Log(bytes / from.Bytes) / Math.Log(to.Bytes / from.Bytes);
        return from.HitRatio + (part * (to.HitRatio - from.HitRatio));
    }

    private static (double HitRatio, List<Point> Curve) Play(string memory, string policy)
    {
        using var server = StrataProcess.Start(
            "--workers", "1", "--maxmemory", memory, "--maxmemory-policy", policy);
        using var client = server.Connect();
        var (zipf, random) = (new ZipfNumbers(Keys, 0.8), new Random(1));
        var missing = new List<int>();
        var hits = 0;
        var clock = Stopwatch.StartNew();
        for (var done = 0; done < Reads; done += Pipelined)
        {
            var keys = Enumerable.Range(0, Pipelined).Select(_ => zipf.Next(random)).ToList();
            client.SendRaw(Encode(missing, keys));
            for (var i = 0; i < missing.Count; i++)
            {
                Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
            }

            missing = [.. keys.Where(_ => client.ReadReply().IsNull)];
            hits += Pipelined - missing.Count;
            var aheadMs = (done * 1000L / MostReadsPerSecond) - clock.ElapsedMilliseconds;
            Thread.Sleep((int)Math.Max(0, aheadMs));
        }

        return ((double)hits / Reads, SettledCurve(client));
    }

    private static string Encode(List<int> set, List<int> read)
    {
        var text = new StringBuilder();
        foreach (var key in set)
        {
            var value = 60 + (int)(key * 2654435769U % 401);
            _ = text.Append(
                CultureInfo.InvariantCulture,
                $"*3\r\n$3\r\nSET\r\n$11\r\nkey:{key:D7}\r\n${value}\r\n").Append('v', value).Append("\r\n");
        }

        foreach (var key in read)
        {
            _ = text.Append(CultureInfo.InvariantCulture, $"*2\r\n$3\r\nGET\r\n$11\r\nkey:{key:D7}\r\n");
        }

        return text.ToString();
    }

    /// <summary>The curve when nothing is left that was drawn and not simulated.</summary>
    private static List<Point> SettledCurve(RespConnection client)
    {
        var (curve, before) = (Curve(client), new List<Point>());
        for (var waited = 0; !curve.SequenceEqual(before); waited += 500)
        {
            Assert.That(waited, Is.LessThan(Patience.Ms));
            Thread.Sleep(500);
            (before, curve) = (curve, Curve(client));
        }

        return curve;
    }

    private static List<Point> Curve(RespConnection client)
        => [.. client.Call("STRATA", "CURVE").Field("hour")!.Items.Select(static point => new Point(
            Number(point, "factor"), Number(point, "memory-bytes"), Number(point, "hit-ratio")))];

    private static double Number(RespValue point, string field)
        => double.Parse(point.Field(field)!.Text, CultureInfo.InvariantCulture);

    private sealed record Point(double Factor, double Bytes, double HitRatio);
}
