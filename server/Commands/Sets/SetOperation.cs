namespace Strata.Server.Commands.Sets;

/// <summary>What is made of several sets.</summary>
internal enum SetOperation
{
    /// <summary>The members that all have.</summary>
    Intersection,

    /// <summary>The members that any has.</summary>
    Union,

    /// <summary>The members of the first that no other has.</summary>
    Difference,
}
