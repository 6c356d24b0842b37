using Strata.Storage.Log;

namespace Strata.Server.Commands.Collections;

/// <summary>Opens a collection that a command in steps goes through, in each of them.</summary>
/// <typeparam name="TSource">The collection.</typeparam>
/// <param name="record">Its record, as it is by now.</param>
/// <param name="nowMs">When the command began, milliseconds since 1970.</param>
internal delegate TSource OpenElements<TSource>(in Record record, long nowMs)
    where TSource : struct, IElementSource, allows ref struct;
