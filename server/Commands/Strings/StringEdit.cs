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
    {
        switch (context.WriteString(context.Key, out var existing))
        {
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                record = default;
                return false;
            case Lookup.Found:
                record = context.Shard.Resize(context.Key, existing, Math.Max(existing.ValueLength, minLength));
                return true;
            default:
                var spec = new RecordSpec(context.Key, RecordType.String, expiryMs: -1, RecordFlags.Edited);
                record = context.Shard.Put(context.Key, existing, spec, minLength);
                record.MutableValue.Clear();
                return true;
        }
    }
}
