using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Storage.Collections;

/// <summary>Up to where collections of each type are packed.</summary>
public readonly record struct CollectionLimits(
    HashLimits Hashes, ListpackLimit Lists, SetLimits Sets, SortedSetLimits SortedSets);
