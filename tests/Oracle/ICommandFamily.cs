namespace Strata.Tests.Oracle;

/// <summary>A source of random commands of one group.</summary>
internal interface ICommandFamily
{
    /// <summary>The word that chooses the family in ORACLE_FAMILIES.</summary>
    string Name { get; }

    /// <summary>Whether each of its commands has one reply also when it is refused.</summary>
    bool MayBeRefused => true;

    OracleStep Next(CommandPool pool);
}
