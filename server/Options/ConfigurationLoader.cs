using System.Collections;

namespace Strata.Server.Options;

/// <summary>
/// Puts the configuration together: flags over environment variables over the conf file over defaults.
/// </summary>
public static class ConfigurationLoader
{
    /// <summary>Reads everything.</summary>
    /// <param name="arguments">The program's arguments.</param>
    /// <param name="environment">The environment variables.</param>
    /// <exception cref="ConfigurationException">Something is wrong; nothing has taken effect.</exception>
    public static LoadedConfiguration Load(ProgramArguments arguments, IDictionary environment)
    {
        var builder = new ConfigurationBuilder();
        if (arguments.ConfFile is { } confFile)
        {
            new ConfFileReader(builder).Read(confFile);
        }

        EnvironmentReader.Read(environment, builder);
        arguments.ApplyTo(builder);
        var fullPath = arguments.ConfFile is null ? null : Path.GetFullPath(arguments.ConfFile);
        var options = new ServerOptions(builder.Values);
        builder.Unsupported.Check(options.AllowUnsupported);
        if (options.AclFile.Length > 0 && builder.Users.Count > 0)
        {
            throw new ConfigurationException(
                $"{builder.Users[0].Place}: users stand in the conf file and in the aclfile, which is likely to lead "
                + "to errors and security holes: define them in one of the two");
        }

        return new LoadedConfiguration(options, fullPath, builder.Warnings)
        {
            Users = builder.Users,
            Renames = builder.Renames,
        };
    }
}
