using System.Globalization;
using Strata.Server.Lifecycle;
using Strata.Server.Rdb;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Persistence;

/// <summary><c>strata-server --check-rdb FILE</c>: whether a file is whole and can be loaded.</summary>
internal static class RdbCheck
{
    /// <summary>Reads a file from its beginning to its end, and says what it found.</summary>
    public static ExitCode Run(string path)
    {
        var (keys, expiring, expired, functions) = (0L, 0L, 0L, 0L);
        var offset = 0L;
        try
        {
            using var source = new FileSource(path);
            using var reader = new RdbFileReader(source, new MemoryBudget(), verifiesChecksum: true);
            var nowMs = Platform.Machine.Clock.GetUtcNow().ToUnixTimeMilliseconds();
            RdbItem item;
            while ((item = reader.Next()) != RdbItem.End)
            {
                functions += item == RdbItem.Function ? 1 : 0;
                if (item == RdbItem.Key)
                {
                    keys++;
                    expiring += reader.ExpiryMs >= 0 ? 1 : 0;
                    expired += reader.ExpiryMs >= 0 && reader.ExpiryMs < nowMs ? 1 : 0;
                    reader.SkipValue();
                }

                offset = reader.Offset;
            }

            Console.Out.Write(string.Create(
                CultureInfo.InvariantCulture,
                $"{path} is whole: RDB version {reader.Version}, {source.Length} bytes, {keys} keys, {expiring} of "
                + $"them with a time to live, {expired} of these expired, {functions} libraries of functions\n"));
            return ExitCode.Ok;
        }
        catch (Exception exception)
            when (exception is RdbException or IOException or MemoryExhaustedException)
        {
            Console.Error.Write(string.Create(
                CultureInfo.InvariantCulture,
                $"{path} cannot be loaded: {exception.Message}. Up to byte {offset} there are {keys} whole keys\n"));
            return ExitCode.Configuration;
        }
    }
}
