using System.IO.Pipelines;

namespace Strata.Server.Network.Transport.InProcess;

/// <summary>One end of a pair of pipes.</summary>
/// <param name="Input">What the other end sends.</param>
/// <param name="Output">What the other end receives.</param>
internal sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
