using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Collections.Streams;

namespace Strata.Storage.Collections;

/// <summary>Up to where collections of each type are packed, and entries of streams share a block.</summary>
public readonly record struct CollectionLimits(
    HashLimits Hashes, ListpackLimit Lists, SetLimits Sets, SortedSetLimits SortedSets, StreamLimits Streams);
