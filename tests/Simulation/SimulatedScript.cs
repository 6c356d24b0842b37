using System.Globalization;
using System.Text;

namespace Strata.Tests.Simulation;

/// <summary>A script that executes commands and returns their replies, as EXEC does.</summary>
/// <param name="Body">Its text.</param>
/// <param name="Keys">The keys that are declared.</param>
/// <param name="TakesCommands">Whether the commands are its arguments, each behind its number of words; else it has
/// them in its text, and the words behind their keys are its arguments.</param>
internal sealed record SimulatedScript(string Body, IReadOnlyList<string> Keys, bool TakesCommands)
{
    private const string Interpreter =
        "local r, i = {}, 1 while ARGV[i] do local c = {} for j = 1, ARGV[i] do c[j] = ARGV[i + j] end "
        + "r[#r + 1] = redis.pcall(unpack(c)) i = i + ARGV[i] + 1 end return r";

    /// <summary>One that executes whatever commands it is given.</summary>
    /// <param name="variant">Tells it from others that do the same.</param>
    /// <param name="keys">The keys that are declared.</param>
    public static SimulatedScript OfAny(int variant, IReadOnlyList<string> keys)
        => new($"{Interpreter} -- {variant}", keys, TakesCommands: true);

    /// <summary>One that executes commands of one key each, which its code says.</summary>
    public static SimulatedScript Of(IReadOnlyList<string[]> commands)
    {
        var (text, arguments) = (new StringBuilder("return {"), 0);
        for (var i = 0; i < commands.Count; i++)
        {
            text.Append(CultureInfo.InvariantCulture, $"redis.pcall('{commands[i][0]}', KEYS[{i + 1}]");
            for (var word = 2; word < commands[i].Length; word++)
            {
                text.Append(CultureInfo.InvariantCulture, $", ARGV[{++arguments}]");
            }

            text.Append("), ");
        }

        var keys = commands.Select(command => command[1]).ToList();
        return new SimulatedScript(text.Append('}').ToString(), keys, TakesCommands: false);
    }

    /// <summary>EVAL with the words of the commands.</summary>
    public string[] Call(IReadOnlyList<string[]> commands)
    {
        var arguments = TakesCommands
            ? commands.SelectMany(command => command.Prepend($"{command.Length}"))
            : commands.SelectMany(command => command.Skip(2));
        return ["EVAL", Body, $"{Keys.Count}", .. Keys, .. arguments];
    }
}
