using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>Queues between clients that add to them and clients that wait for something in them.</summary>
internal static class SoakQueues
{
    private const int Queues = 3;
    private const int MostWaiting = 1_000;
    private const string Job = "job ";

    /// <summary>Adds to queues.</summary>
    public static void Produce(RespConnection connection, Random random)
    {
        var job = Job + SoakTraffic.Text(random.Next());
        SoakTraffic.Execute(connection, random.Next(3) == 0
            ? [SoakCommand.Of("ZADD", $"ranked:{random.Next(Queues)}", SoakTraffic.Text(random.Next(100)), job)]
            : [
                SoakCommand.Of("RPUSH", $"queue:{random.Next(Queues)}", job, job),
                SoakCommand.Of("LTRIM", $"queue:{random.Next(Queues)}", "0", SoakTraffic.Text(MostWaiting)),
            ]);
    }

    /// <summary>Takes from queues, or waits a moment.</summary>
    public static void Consume(RespConnection connection, Random random)
    {
        string[] command = random.Next(6) switch
        {
            0 => ["BLMOVE", "queue:0", "queue:1", "LEFT", "RIGHT", "0.02"],
            1 => ["BRPOP", "queue:2", "queue:0", "0.02"],
            2 => ["BLMPOP", "0.02", "2", "queue:1", "queue:2", "LEFT", "COUNT", "3"],
            3 => ["BZPOPMIN", "ranked:0", "ranked:1", "0.02"],
            4 => ["BZMPOP", "0.02", "2", "ranked:1", "ranked:2", "MAX", "COUNT", "3"],
            _ => ["BLPOP", "queue:0", "queue:1", "queue:2", "0.02"],
        };
        SoakTraffic.Execute(connection, [new SoakCommand(RespCommand.Of(command), Problem)]);
    }

    private static string? Problem(RespValue reply)
        => reply.IsNull || HoldsJob(reply) ? null : $"{reply} has no job";

    private static bool HoldsJob(RespValue reply)
        => reply.Text.StartsWith(Job, StringComparison.Ordinal) || reply.Items.Any(HoldsJob);
}
