namespace Strata.Server.Commands.Model;

/// <summary>Where the look for a request's keys is (<see cref="RequestKeys"/>); at first, before all of them.</summary>
/// <param name="Spec">The arguments that are looked at.</param>
/// <param name="Specs">Which of the command's these are.</param>
/// <param name="Store">The option that names the last key found by its word.</param>
/// <param name="Index">The last key.</param>
/// <param name="Last">The last argument of them.</param>
internal readonly record struct RequestKeyPlace(KeySpec Spec, int Specs, int Store, int Index, int Last);
