using System.Globalization;
using System.Text;

namespace Strata.Server.Options;

/// <summary>
/// The table of keys as text for people: conf/strata.conf, the table in docs/CONFIGURATION.md, and the help. A test
/// compares the two files with this; <c>strata-server --print-conf</c> and <c>--print-reference</c> write them anew.
/// </summary>
public static class ConfigurationDocument
{
    private const int CommentColumns = 100;

    /// <summary>A conf file with every key at its default, each under a comment.</summary>
    public static string Conf()
    {
        var conf = new StringBuilder(
            """
            # Strata's configuration. Every key stands here with its default.
            #
            # The syntax is redis.conf's: one key and its value in a line; "..." and '...' around values with blanks;
            # sizes as 1k (1000 bytes), 1kb (1024), 1m, 1mb, 1g, 1gb; "include FILE" reads another file at that place.
            # Flags (--maxmemory 4gb) go over environment variables (STRATA_MAXMEMORY=4gb), and both over this file.

            """);
        foreach (var section in ConfigurationTable.Sections)
        {
            conf.Append('\n').Append(new string('#', 10)).Append(' ').Append(section.Title).Append('\n');
            foreach (var key in section.Keys)
            {
                conf.Append('\n');
                AppendComment(conf, $"{key.Summary} {ChangeSentence(key)}");
                foreach (var value in ConfValues(key))
                {
                    conf.Append(CultureInfo.InvariantCulture, $"{key.Name} {value}\n");
                }
            }
        }

        return conf.ToString();
    }

    /// <summary>The table of all keys in Markdown.</summary>
    public static string Reference()
    {
        var table = new StringBuilder();
        foreach (var section in ConfigurationTable.Sections)
        {
            table.Append(CultureInfo.InvariantCulture, $"### {section.Title}\n\n");
            table.Append("| key | default | at runtime | environment variable | value | meaning |\n");
            table.Append("|---|---|---|---|---|---|\n");
            foreach (var key in section.Keys)
            {
                var atRuntime = key.Change == ChangeRule.AtRuntime ? "yes" : "no";
                table.Append(
                    CultureInfo.InvariantCulture,
                    $"| `{key.Name}` | `{key.DefaultValue}` | {atRuntime} | `{key.EnvironmentVariable}` ");
                table.Append(CultureInfo.InvariantCulture, $"| {key.Syntax.Form} | {EscapeMarkdown(key.Summary)} |\n");
            }

            table.Append('\n');
        }

        return table.ToString();
    }

    /// <summary>The help: how to call the program, its own flags, and a line for each key.</summary>
    internal static string Help(ProgramOptions options)
    {
        var help = new StringBuilder(options.Help());
        help.Append("Keys, as flags, environment variables or lines of the conf file:\n");
        var width = ConfigurationTable.Keys.Max(key => key.Name.Length);
        foreach (var key in ConfigurationTable.Keys)
        {
            help.Append(CultureInfo.InvariantCulture, $"  --{key.Name.PadRight(width)}  {key.Syntax.Form}");
            help.Append(CultureInfo.InvariantCulture, $" (default {key.DefaultValue})\n");
        }

        return help.ToString();
    }

    private static IReadOnlyList<string> ConfValues(ConfigurationKey key)
    {
        var lines = key.Syntax.Write(key.DefaultText);
        return lines.Count > 1 ? lines : [key.DefaultValue];
    }

    private static string ChangeSentence(ConfigurationKey key) =>
        key.Change == ChangeRule.AtRuntime ? "CONFIG SET changes it." : "Takes effect at start.";

    private static string EscapeMarkdown(string text) => text.Replace("*", "\\*", StringComparison.Ordinal);

    private static void AppendComment(StringBuilder conf, string text)
    {
        var column = 0;
        foreach (var word in text.Split(' '))
        {
            if (column == 0 || column + 1 + word.Length > CommentColumns)
            {
                conf.Append(column == 0 ? "#" : "\n#");
                column = 1;
            }

            conf.Append(' ').Append(word);
            column += 1 + word.Length;
        }

        conf.Append('\n');
    }
}
