using System.Globalization;
using System.Text;
using Strata.Server.Commands.Connection;
using Strata.Server.Commands.Model;

namespace Strata.Server.Execution.Scripts.Analysis;

/// <summary>Tells of a command that a script calls whether its keys are declared ones.</summary>
internal sealed class CalledCommand(CommandTable commands)
{
    /// <summary>Whether it is known which command it is, and that it uses declared keys alone.</summary>
    public bool UsesKeysAlone(Arguments arguments)
    {
        if (arguments.ConstantAt(0) is not byte[] name)
        {
            return false;
        }

        var row = commands.Find(name);
        if (row?.Subcommands != null)
        {
            row = arguments.ConstantAt(1) is byte[] subcommand ? row.Subcommands.Find(subcommand) : row;
        }

        return row == null || !row.NeedsLeases
            ? row?.Is(Select.Row) != true // From then on a key is another one.
            : !row.Has(CommandFlags.AllShards) && row.ExtraShards == null && row.StoreKey == null
                && AreDeclared(row.Keys, arguments) && AreDeclared(row.SecondKeys, arguments);
    }

    private static bool AreDeclared(KeySpec spec, Arguments arguments)
    {
        if (!spec.AreKeys)
        {
            return true;
        }

        if (spec.Half != null)
        {
            return false; // Where they are follows from words among the arguments.
        }

        var (first, last, step) = (spec.First, spec.Last, spec.Step);
        if (spec.CountAt > 0)
        {
            if (NumberAt(spec.CountAt, arguments) is not { } count)
            {
                return false;
            }

            (first, last, step) = (spec.CountAt + 1, spec.CountAt + count, 1);
        }
        else if (last < 0)
        {
            if (arguments.IsOpen && (step != 1 || last != -1 || arguments.Rest.Kind != ValueKind.Key))
            {
                return false;
            }

            last = spec.LastOf(arguments.Count);
        }

        for (var i = first; i <= last && (i < arguments.Count || arguments.IsOpen); i += step)
        {
            if (arguments[i].Kind != ValueKind.Key)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The number that an argument is, as Lua hands it to a command.</summary>
    private static int? NumberAt(int index, Arguments arguments) => arguments.ConstantAt(index) switch
    {
        double number when number is >= 0 and <= short.MaxValue && number == Math.Truncate(number) => (int)number,
        byte[] text when short.TryParse(
            Encoding.Latin1.GetString(text), NumberStyles.None, CultureInfo.InvariantCulture, out var number) => number,
        _ => null,
    };
}
