using Strata.Server.Options;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Runtime;

/// <summary>Up to where collections are packed, as the configuration says.</summary>
internal static class PackingLimits
{
    /// <summary>The limits in force with these options.</summary>
    public static CollectionLimits Of(ServerOptions options) => new(
        new HashLimits(options.HashMaxListpackEntries, options.HashMaxListpackValue),
        new ListpackLimit(options.ListMaxListpackSize),
        new SetLimits(options.SetMaxIntsetEntries, options.SetMaxListpackEntries, options.SetMaxListpackValue),
        new SortedSetLimits(options.ZsetMaxListpackEntries, options.ZsetMaxListpackValue),
        StreamLimits.Default);
}
