using Strata.Server.Options;
using Strata.Server.Rdb;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Server.Persistence;

/// <summary>What files tell of keys' use, so that eviction goes on where it was: as in Redis, what the policy goes by,
/// and nothing under others.</summary>
/// <param name="TellsIdle">Whether it is told for how long keys were not used.</param>
/// <param name="Frequencies">How it is counted how often they were, if that is told.</param>
/// <param name="NowMs">The moment that the file is of, milliseconds since 1970.</param>
internal readonly record struct UsageTold(bool TellsIdle, FrequencySettings? Frequencies, long NowMs)
{
    /// <summary>What a file of this moment tells.</summary>
    public static UsageTold By(ServerOptions options, DateTimeOffset now) => new(
        options.MaxMemoryPolicy is MaxMemoryPolicy.AllKeysLru or MaxMemoryPolicy.VolatileLru,
        FrequenciesOf(options),
        now.ToUnixTimeMilliseconds());

    /// <summary>How it is counted how often keys are used; null where the policy does not go by that.</summary>
    public static FrequencySettings? FrequenciesOf(ServerOptions options)
        => options.MaxMemoryPolicy is MaxMemoryPolicy.AllKeysLfu or MaxMemoryPolicy.VolatileLfu
            ? new FrequencySettings(options.LfuLogFactor, options.LfuDecayTime)
            : null;

    /// <summary>What it tells of one key.</summary>
    public RdbEntryInfo Of(in Record record)
        => Frequencies != null ? new RdbEntryInfo(Frequency: RecordUsage.Frequency(Frequencies, record, NowMs))
            : TellsIdle ? new RdbEntryInfo(IdleSeconds: RecordUsage.IdleSeconds(record, NowMs))
            : RdbEntryInfo.None;
}
