using Strata.Server.Commands.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Blocking;

/// <summary>What a command asks for that takes from the first of several keys that is there, or waits for one.
/// </summary>
/// <typeparam name="T">What the command's other arguments say.</typeparam>
/// <param name="Type">The type of value the keys should have.</param>
/// <param name="FirstKey">Index of the first key.</param>
/// <param name="KeyCount">Number of keys.</param>
/// <param name="TimeoutMs">Milliseconds to wait at most; 0 for ever.</param>
/// <param name="Arguments">The other arguments.</param>
/// <param name="Pop">What takes from a key.</param>
internal readonly record struct BlockingPopRequest<T>(
    RecordType Type, int FirstKey, int KeyCount, long TimeoutMs, T Arguments, PopAttempt<T> Pop);
