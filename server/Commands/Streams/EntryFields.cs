using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>A new entry's fields, as they stand among the arguments.</summary>
/// <param name="context">The command.</param>
/// <param name="first">Index of the first name.</param>
internal readonly struct EntryFields(CommandContext context, int first) : IStreamFields
{
    /// <inheritdoc/>
    public int Count => (context.Count - first) / 2;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> NameAt(int index) => context.Argument(first + (2 * index));

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ValueAt(int index) => context.Argument(first + (2 * index) + 1);
}
