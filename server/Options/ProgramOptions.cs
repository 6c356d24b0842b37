using System.CommandLine;
using System.CommandLine.Help;
using Strata.Server.Versions;

namespace Strata.Server.Options;

/// <summary>The flags of the program itself, next to those that the table of keys gives it, as System.CommandLine reads
/// them.</summary>
public sealed class ProgramOptions
{
    private const int HelpColumns = 160;

    private readonly Argument<string[]> _files = new("FILE")
    {
        Arity = ArgumentArity.ZeroOrMore,
        Description = "The conf file, in redis.conf's syntax. Any KEY of it is a flag, too.",
    };

    private readonly Option<string> _confFile = new("--conf")
    {
        HelpName = "FILE",
        Description = "The conf file, by flag.",
    };

    private readonly Option<bool> _health = new("--health")
    {
        Description = "Send a PING to the server that runs here, or to that of the other flags and conf, and exit: 0 "
            + "when it answers, 1 with the reason.",
    };

    private readonly Option<string> _checkAof = new("--check-aof")
    {
        HelpName = "PATH",
        Description = "Check an append only file and exit: 0 when it can be loaded, 1 with the reason. PATH is a "
            + "manifest, the folder with one, or a file.",
    };

    private readonly Option<bool> _fix = new("--fix")
    {
        Description = "With --check-aof: cut the last file where it is not right any more, after asking.",
    };

    private readonly Option<string> _checkRdb = new("--check-rdb")
    {
        HelpName = "FILE",
        Description = "Tell whether a file of saved data is whole and can be loaded, and exit: 0 when it is, 1 with "
            + "the reason.",
    };

    private readonly Option<bool> _printConf = new("--print-conf")
    {
        Description = "Print a conf file with every key at its default, and exit.",
    };

    private readonly Option<bool> _printReference = new("--print-reference")
    {
        Description = "Print the documentation's table of keys, and exit.",
    };

    private readonly Option<bool> _printCommands = new("--print-commands")
    {
        Description = "Print the documentation's list of commands, docs/COMMANDS.md, and exit.",
    };

    private readonly Option<bool> _version = new("--version", "-v") { Description = "Print the version, and exit." };

    private readonly HelpOption _help = new("--help", "-h") { Description = "Print this, and exit." };

    private readonly ParseResult _parsed;

    /// <summary>Reads the arguments that are no keys of the table.</summary>
    public ProgramOptions(IReadOnlyList<string> arguments)
    {
        var title = $"Strata server {ProductVersion.Text}, a Redis-compatible cache server";
        var command = new Command("strata-server", title)
        {
            _files, _confFile, _health, _checkAof, _fix, _checkRdb, _printConf, _printReference, _printCommands, _help,
            _version,
        };
        _parsed = command.Parse(
            arguments, new ParserConfiguration { EnablePosixBundling = false, ResponseFileTokenReplacer = null });
    }

    /// <summary>The conf file as a plain argument, and whatever else is no flag.</summary>
    public IReadOnlyList<string> Arguments => _parsed.GetValue(_files) ?? [];

    /// <summary>The conf file by flag.</summary>
    public string? ConfFile => _parsed.GetValue(_confFile);

    /// <summary>Whether to ask a running server instead of serving.</summary>
    public bool Health => _parsed.GetValue(_health);

    /// <summary>The journal to check instead of serving: a manifest, the folder with one, or one file.</summary>
    public string? CheckAof => _parsed.GetValue(_checkAof);

    /// <summary>Whether to cut what was checked where it is not right any more.</summary>
    public bool Fix => _parsed.GetValue(_fix);

    /// <summary>The file to look at instead of serving.</summary>
    public string? CheckRdb => _parsed.GetValue(_checkRdb);

    /// <summary>Whether to print a conf file instead of serving.</summary>
    public bool PrintConf => _parsed.GetValue(_printConf);

    /// <summary>Whether to print the documentation's table instead of serving.</summary>
    public bool PrintReference => _parsed.GetValue(_printReference);

    /// <summary>Whether to print the documentation's list of commands instead of serving.</summary>
    public bool PrintCommands => _parsed.GetValue(_printCommands);

    /// <summary>Whether to print the version instead of serving.</summary>
    public bool PrintVersion => _parsed.GetValue(_version);

    /// <summary>Whether to print the help instead of serving.</summary>
    public bool PrintHelp => _parsed.Action is HelpAction;

    /// <summary>What is wrong with the arguments, in the library's words.</summary>
    public IEnumerable<string> Errors => _parsed.Errors.Select(static error => error.Message);

    /// <summary>The help: how to call the program, and its own flags.</summary>
    public string Help()
    {
        using var text = new StringWriter();
        ((HelpAction)_help.Action!).MaxWidth = HelpColumns;
        _parsed.Invoke(new InvocationConfiguration { Output = text });
        return text.ToString();
    }
}
