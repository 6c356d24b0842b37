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
    /// <param name="context">The command.</param>
    /// <param name="minLength">The least length, bytes.</param>
    /// <param name="value">The string. Whoever has changed it ends the editor.</param>
    /// <param name="isGrown">Whether it was made or has become longer.</param>
    /// <param name="written">How many bytes before that length the caller writes: if they are new they hold anything.
    /// </param>
    public static bool TryOpen(
        CommandContext context, int minLength, out StringEditor value, out bool isGrown, int written = 0)
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
                value.Resize(Math.Max(existing.ValueLength, minLength), isGrown ? written : 0);
                return true;
            default:
                value.Create(minLength, expiryMs: -1, RecordFlags.Edited);
                value.Clear(minLength - written);
                isGrown = true;
                return true;
        }
    }
}
