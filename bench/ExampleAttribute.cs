namespace Strata.Bench;

/// <summary>An example of a verb's flags, shown with its help.</summary>
/// <param name="flags">The flags as a shell takes them.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ExampleAttribute(string flags) : Attribute
{
    /// <summary>The flags as a shell takes them.</summary>
    public string Flags { get; } = flags;
}
