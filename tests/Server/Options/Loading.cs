using System.Collections;
using NUnit.Framework;
using Strata.Server.Options;

namespace Strata.Tests.Server.Options;

/// <summary>Loads configuration as the program does, with given arguments and environment.</summary>
internal static class Loading
{
    public static LoadedConfiguration Load(string[] arguments, params (string Name, string Value)[] environment)
    {
        var variables = new Hashtable();
        foreach (var (name, value) in environment)
        {
            variables[name] = value;
        }

        return ConfigurationLoader.Load(ProgramArguments.Parse(arguments), variables);
    }

    /// <summary>The message of the error that loading ends with.</summary>
    public static string Error(string[] arguments, params (string Name, string Value)[] environment) =>
        Assert.Throws<ConfigurationException>(() => Load(arguments, environment))!.Message;
}
