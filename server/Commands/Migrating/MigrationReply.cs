namespace Strata.Server.Commands.Migrating;

/// <summary>A reply, or the head of one that has more.</summary>
/// <param name="Kind">RESP's first byte: + - : $ *.</param>
/// <param name="Text">Of a status or an error.</param>
/// <param name="Number">Of an integer; of others how long they are, -1 for null.</param>
internal readonly record struct MigrationReply(char Kind, string Text, long Number)
{
    /// <summary>Whether it is an error.</summary>
    public bool IsError => Kind == '-';
}
