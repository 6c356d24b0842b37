using Spectre.Console;

namespace Strata.Bench;

/// <summary>
/// Where the tool writes: results to <see cref="Output"/>, so that they can be piped, progress and errors to
/// <see cref="Error"/>.
/// </summary>
public sealed class BenchConsole(TextWriter output, TextWriter error)
{
    public TextWriter Output { get; } = output;

    public TextWriter Error { get; } = error;

    /// <summary>For tables.</summary>
    public IAnsiConsole Results { get; } = ConsoleOn(output);

    /// <summary>For progress bars and notes.</summary>
    public IAnsiConsole Notes { get; } = ConsoleOn(error);

    /// <summary>Shows a progress bar while the work runs, on a terminal only; the work reports its part done, 0 to 1,
    /// and a note.</summary>
    public T WithProgress<T>(string title, Func<Action<double, string>, T> work)
    {
        if (Console.IsErrorRedirected)
        {
            return work((_, _) => { });
        }

        return Notes.Progress()
            .AutoClear(true)
            .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(),
                new RemainingTimeColumn())
            .Start(context =>
            {
                var task = context.AddTask(Markup.Escape(title), maxValue: 1);
                return work((done, note) =>
                {
                    task.Value = done;
                    task.Description = Markup.Escape($"{title} {note}");
                });
            });
    }

    private static IAnsiConsole ConsoleOn(TextWriter writer)
    {
        var isTerminal = (writer == Console.Out && !Console.IsOutputRedirected)
            || (writer == Console.Error && !Console.IsErrorRedirected);
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(writer),
            Ansi = isTerminal ? AnsiSupport.Detect : AnsiSupport.No,
        });
        if (!isTerminal)
        {
            // A table in a file should not be cut to the 80 columns that are assumed there.
            console.Profile.Width = 160;
        }

        return console;
    }
}
