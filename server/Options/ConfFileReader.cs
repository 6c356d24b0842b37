using System.Text;
using Strata.Server.Text;

namespace Strata.Server.Options;

/// <summary>
/// Reads a file in redis.conf's syntax, with the files it includes, into a <see cref="ConfigurationBuilder"/>. Later
/// lines win. An error names the file and the line and shows the line.
/// </summary>
/// <param name="builder">Takes the values.</param>
public sealed class ConfFileReader(ConfigurationBuilder builder)
{
    private readonly Stack<string> _open = new();

    /// <summary>Reads a file.</summary>
    /// <param name="path">The path; a relative one starts from the working directory.</param>
    /// <exception cref="ConfigurationException">The file cannot be read or is wrong.</exception>
    public void Read(string path)
    {
        var fullPath = Path.GetFullPath(path);
        if (_open.Contains(fullPath))
        {
            throw new ConfigurationException($"The conf file {path} includes itself");
        }

        if (_open.Count == 0)
        {
            builder.BeginKind();
        }

        _open.Push(fullPath);
        var lineNumber = 0;
        foreach (var line in ReadLines(path))
        {
            lineNumber++;
            ReadLine(line.Trim(), path, lineNumber);
        }

        _open.Pop();
    }

    private static string[] ReadLines(string path)
    {
        try
        {
            return File.ReadAllLines(path, Encoding.Latin1);
        }
        catch (Exception error) when (FileError.Is(error))
        {
            throw new ConfigurationException($"Can't open the conf file {path}: {FileError.Reason(error)}");
        }
    }

    private void ReadLine(string line, string path, int lineNumber)
    {
        if (line.Length == 0 || line[0] == '#')
        {
            return;
        }

        if (!QuotedWords.TrySplit(line, out var words))
        {
            throw new ConfigurationException(
                $"{path}, line {lineNumber}, '{Shown(line)}': unbalanced quotes in configuration line");
        }

        var name = words[0];
        if (ConfigurationTable.TryFind(name, out var key))
        {
            var shown = key.IsSensitive ? "" : $", '{ConfigurationText.ToUnicode(line)}'";
            builder.Set(key, words[1..], $"{path}, line {lineNumber}{shown}");
        }
        else if (name.Equals("include", StringComparison.OrdinalIgnoreCase) && words.Count == 2)
        {
            Include(ConfigurationText.ToUnicode(words[1]));
        }
        else if (UserLine.Is(name))
        {
            builder.AddUser(words[1..], $"{path}, line {lineNumber}");
        }
        else if (RenameLine.Is(name))
        {
            builder.AddRename(words[1..], $"{path}, line {lineNumber}");
        }
        else if (UnsupportedSettings.Contains(name))
        {
            builder.Unsupported.Add(name, words[1..], $"{path}, line {lineNumber}, {name}");
        }
        else
        {
            throw new ConfigurationException(
                $"{path}, line {lineNumber}, '{Shown(line)}': bad directive or wrong number of arguments"
                + NearestName.Hint(name));
        }
    }

    /// <summary>A line that is not understood, as an error shows it: the word alone, since it may be that of a secret,
    /// misspelt.</summary>
    private static string Shown(string line)
    {
        var end = line.AsSpan().IndexOfAny(' ', '\t');
        return end < 0 ? ConfigurationText.ToUnicode(line) : $"{ConfigurationText.ToUnicode(line[..end])} ...";
    }

    /// <summary>Reads an included file; a pattern stands for all files it matches, which may be none.</summary>
    private void Include(string path)
    {
        if (!PathPattern.HasWildcard(path))
        {
            Read(path);
            return;
        }

        foreach (var match in PathPattern.Expand(path))
        {
            Read(match);
        }
    }
}
