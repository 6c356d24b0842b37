using System.Globalization;
using Strata.Server.Lifecycle;

namespace Strata.Server.Persistence;

/// <summary><c>strata-server --check-rdb FILE</c>: whether a file is whole and can be loaded.</summary>
internal static class RdbCheck
{
    /// <summary>Reads a file from its beginning to its end, and says what it found.</summary>
    public static ExitCode Run(string path)
    {
        var found = RdbSurvey.Of(path);
        if (found.Problem != null)
        {
            _ = ProgramOutput.TryTellError(string.Create(
                CultureInfo.InvariantCulture,
                $"{path} cannot be loaded: {found.Problem}. Up to byte {found.WholeBytes} there are {found.Keys} "
                + $"whole keys"));
            return ExitCode.Damaged;
        }

        ProgramOutput.Out.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"{path} is whole and can be loaded with 'databases {found.Databases}' or more: RDB version "
            + $"{found.Version}, {found.FileBytes} bytes, {found.Keys} keys, {found.Expiring} of them with a time to "
            + $"live, {found.Expired} of these expired, {found.Functions} libraries of functions\n"));
        return ExitCode.Ok;
    }
}
