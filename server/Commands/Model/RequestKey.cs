namespace Strata.Server.Commands.Model;

/// <summary>A key that a request names.</summary>
/// <param name="Index">Index of the argument.</param>
/// <param name="Access">What the command does with it.</param>
internal readonly record struct RequestKey(int Index, KeyAccess Access);
