using System.Globalization;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;

namespace Strata.Server.Diagnostics;

/// <summary>The arguments of a command as the slow log keeps them, shortened as Redis does it and without secrets.
/// </summary>
internal static class SlowLogArguments
{
    private const int MaxArguments = 32;
    private const int MaxBytes = 128;

    /// <summary>Copies the arguments; of more than 32, the last says how many more there are.</summary>
    public static IReadOnlyList<byte[]> Copy(CommandRow row, in Request request)
    {
        var copies = new byte[Math.Min(request.Count, MaxArguments)][];
        for (var i = 0; i < copies.Length; i++)
        {
            copies[i] = i == MaxArguments - 1 && request.Count > MaxArguments
                ? Encoding.ASCII.GetBytes(string.Create(
                    CultureInfo.InvariantCulture, $"... ({request.Count - MaxArguments + 1} more arguments)"))
                : row.IsSecret?.Invoke(request, i) == true
                    ? "(redacted)"u8.ToArray()
                    : Excerpt.Of(request[i], MaxBytes);
        }

        return copies;
    }
}
