namespace Strata.Storage.Collections.Lists;

/// <summary>One of a list's two ends.</summary>
public enum ListEnd
{
    /// <summary>Left: where index 0 is.</summary>
    Head,

    /// <summary>Right: where index -1 is.</summary>
    Tail,
}
