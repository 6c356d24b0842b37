using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Has a server rewrite its append-only file.</summary>
internal static class AofRewrites
{
    /// <summary>Does so, and waits for the end.</summary>
    public static void Do(RespConnection connection)
    {
        var before = Field(connection, "aof_rewrites");
        var answer = "BGREWRITEAOF was not sent";
        Patience.Await(
            () =>
            {
                if (Field(connection, "aof_rewrite_in_progress") == "0" && Field(connection, "aof_rewrites") == before)
                {
                    answer = connection.Call("BGREWRITEAOF").ToString();
                }

                return Field(connection, "aof_rewrites") != before;
            },
            () => $"{answer}\n{connection.Call("INFO", "persistence").Text}");
        Await(connection);
    }

    /// <summary>Waits until none is under way or to be begun.</summary>
    public static void Await(RespConnection connection)
        => Patience.Await(() => connection.Call("INFO", "persistence").Text.Contains(
            "aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0\r\n", StringComparison.Ordinal));

    /// <summary>A field of INFO persistence.</summary>
    public static string Field(RespConnection connection, string name)
        => connection.Call("INFO", "persistence").Text.Split("\r\n")
            .First(line => line.StartsWith(name + ":", StringComparison.Ordinal))[(name.Length + 1)..];
}
