using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>Opens strings for commands that write into the middle of a value.</summary>
internal static class StringEdit
{
    /// <summary>
    /// Gives the command's key as a string of at least <paramref name="minLength"/> bytes: a missing key is made, a
    /// shorter value is filled up with zeros. Answers an error, and changes nothing, when the key holds another type.
    /// </summary>
    public static bool TryOpen(CommandContext context, int minLength, out Record record)
        => TryOpen(context, minLength, out record, out _);

    /// <inheritdoc cref="TryOpen(CommandContext, int, out Record)"/>
    /// <param name="context">The command.</param>
    /// <param name="minLength">The least length, bytes.</param>
    /// <param name="record">The string.</param>
    /// <param name="isGrown">Whether it was made or has become longer.</param>
    public static bool TryOpen(CommandContext context, int minLength, out Record record, out bool isGrown)
    {
        isGrown = false;
        switch (context.WriteString(context.Key, out var existing))
        {
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                record = default;
                return false;
            case Lookup.Found:
                isGrown = existing.ValueLength < minLength;
                record = context.Shard.Resize(context.Key, existing, Math.Max(existing.ValueLength, minLength));
                return true;
            default:
                var spec = new RecordSpec(context.Key, RecordType.String, expiryMs: -1, RecordFlags.Edited);
                record = context.Shard.Put(context.Key, existing, spec, minLength);
                record.MutableValue.Clear();
                isGrown = true;
                return true;
        }
    }
}
