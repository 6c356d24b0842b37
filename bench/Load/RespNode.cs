namespace Strata.Bench.Load;

/// <summary>A reply: a text, or what an array holds.</summary>
/// <param name="Text">The text; empty for an array and for nothing.</param>
/// <param name="Items">The array's; none for a text.</param>
internal sealed record RespNode(string Text, IReadOnlyList<RespNode> Items);
