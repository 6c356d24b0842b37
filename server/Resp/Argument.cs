namespace Strata.Server.Resp;

/// <summary>Where an argument lies: bytes from its command's first byte, and its length in bytes.</summary>
public readonly record struct Argument(int Offset, int Length);
