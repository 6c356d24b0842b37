using CommandLine;

namespace Strata.Server.Options;

/// <summary>The flags of the program itself, next to those that the table of keys gives it.</summary>
public sealed class ProgramOptions
{
    /// <summary>The conf file as a plain argument, and whatever else is no flag.</summary>
    [Value(0, MetaName = "FILE", HelpText = "The conf file, in redis.conf's syntax.")]
    public IEnumerable<string> Arguments { get; set; } = [];

    /// <summary>The conf file by flag.</summary>
    [Option("conf", MetaValue = "FILE", HelpText = "The conf file, by flag.")]
    public string? ConfFile { get; set; }

    /// <summary>Whether to ask a running server instead of serving.</summary>
    [Option("health", HelpText = "Send a PING to the server that runs here, or to that of the other flags and conf, "
        + "and exit: 0 when it answers, 1 with the reason.")]
    public bool Health { get; set; }

    /// <summary>The journal to check instead of serving: a manifest, the folder with one, or one file.</summary>
    [Option("check-aof", MetaValue = "PATH", HelpText = "Check an append only file and exit: 0 when it can be loaded, "
        + "1 with the reason. PATH is a manifest, the folder with one, or a file.")]
    public string? CheckAof { get; set; }

    /// <summary>Whether to cut what was checked where it is not right any more.</summary>
    [Option("fix", HelpText = "With --check-aof: cut the last file where it is not right any more, after asking.")]
    public bool Fix { get; set; }

    /// <summary>The file to look at instead of serving.</summary>
    [Option("check-rdb", MetaValue = "FILE", HelpText = "Tell whether a file of saved data is whole and can be loaded, "
        + "and exit: 0 when it is, 1 with the reason.")]
    public string? CheckRdb { get; set; }

    /// <summary>Whether to print a conf file instead of serving.</summary>
    [Option("print-conf", HelpText = "Print a conf file with every key at its default, and exit.")]
    public bool PrintConf { get; set; }

    /// <summary>Whether to print the documentation's table instead of serving.</summary>
    [Option("print-reference", HelpText = "Print the documentation's table of keys, and exit.")]
    public bool PrintReference { get; set; }

    /// <summary>Whether to print the documentation's list of commands instead of serving.</summary>
    [Option("print-commands", HelpText = "Print the documentation's list of commands, docs/COMMANDS.md, and exit.")]
    public bool PrintCommands { get; set; }
}
