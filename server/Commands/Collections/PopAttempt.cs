using Strata.Server.Commands.Model;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Collections;

/// <summary>Takes from a key and replies what was taken, or that the key has a wrong type of value.</summary>
/// <typeparam name="T">What the command's other arguments say.</typeparam>
/// <returns>Missing when the key is not there, which is not answered.</returns>
internal delegate Lookup PopAttempt<T>(CommandContext context, in Key key, in T arguments);
