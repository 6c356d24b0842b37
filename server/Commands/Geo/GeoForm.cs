namespace Strata.Server.Commands.Geo;

/// <summary>How a command says what it looks for.</summary>
internal enum GeoForm
{
    /// <summary>GEORADIUS: a place and a circle, at fixed positions.</summary>
    Place,

    /// <summary>GEORADIUSBYMEMBER: a member and a circle.</summary>
    Member,

    /// <summary>GEOSEARCH: words.</summary>
    Words,

    /// <summary>GEOSEARCHSTORE: words, behind two keys.</summary>
    WordsToStore,
}
