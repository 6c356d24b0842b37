using Strata.Server.Commands.Model;
using Strata.Storage;

namespace Strata.Server.Commands.Strings;

/// <summary>How long a string may become.</summary>
internal static class StringLimits
{
    /// <summary>The longest value, bytes: <c>proto-max-bulk-len</c>, or what a record can hold if that is less.
    /// </summary>
    public static long MaxBytes(CommandContext context)
        => Math.Min(context.Server.Configuration.Current.ProtoMaxBulkLengthBytes, Limits.MaxValueBytes);

    /// <summary>Whether <paramref name="added"/> bytes may follow <paramref name="length"/> others; answers Redis's
    /// error when not. Neither is negative.</summary>
    public static bool Allows(CommandContext context, long length, int added)
    {
        if (length <= MaxBytes(context) - added)
        {
            return true;
        }

        context.Reply.Error(Errors.StringTooLong);
        return false;
    }
}
