namespace Strata.Bench.Load;

/// <summary>How often each key is asked for.</summary>
public enum KeyDistribution
{
    Uniform,
    Zipf,
}
