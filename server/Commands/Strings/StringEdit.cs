using Strata.Server.Commands.Model;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Strings;

/// <summary>Opens strings for commands that write into the middle of a value.</summary>
internal static class StringEdit
{
    /// <summary>
    /// Gives the command's key as a string of at least <paramref name="minLength"/> bytes: a missing key is made, a
    /// shorter value is filled up with zeros. Answers an error, and changes nothing, when the key holds another type.
    /// </summary>
    public static bool TryOpen(CommandContext context, int minLength, out StringEditor value)
        => TryOpen(context, minLength, out value, out _);

    /// <inheritdoc cref="TryOpen(CommandContext, int, out StringEditor)"/>
    /// <param name="context">The command.</param>
    /// <param name="minLength">The least length, bytes.</param>
    /// <param name="value">The string. Whoever has changed it ends the editor.</param>
    /// <param name="isGrown">Whether it was made or has become longer.</param>
    public static bool TryOpen(CommandContext context, int minLength, out StringEditor value, out bool isGrown)
    {
        isGrown = false;
        var lookup = context.WriteString(context.Key, out var existing);
        value = new StringEditor(context.Shard, context.Key, existing);
        switch (lookup)
        {
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                return false;
            case Lookup.Found:
                isGrown = existing.ValueLength < minLength;
                value.Resize(Math.Max(existing.ValueLength, minLength));
                return true;
            default:
                value.Create(minLength, expiryMs: -1, RecordFlags.Edited);
                value.Value.Clear();
                isGrown = true;
                return true;
        }
    }
}
