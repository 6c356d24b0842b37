namespace Strata.Bench.Versus;

/// <summary>A program that loads a server on 127.0.0.1.</summary>
internal interface ILoadTool
{
    /// <summary>The tool's name, for the report.</summary>
    string Name { get; }

    /// <summary>Whether it can run this load.</summary>
    bool Supports(VersusLoad load);

    /// <summary>Sets every key of a load.</summary>
    /// <exception cref="BenchException">The tool failed, or the server answered errors.</exception>
    void Fill(VersusLoad load, int port);

    /// <summary>Runs a load once. <paramref name="seconds"/> is how long, as nearly as the tool can.</summary>
    /// <exception cref="BenchException">The tool failed, or the server answered errors.</exception>
    LoadSample Run(VersusLoad load, int port, int seconds);
}
