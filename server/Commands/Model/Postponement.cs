namespace Strata.Server.Commands.Model;

/// <summary>Why a handler has not answered: it is called again.</summary>
internal enum Postponement : byte
{
    /// <summary>It has.</summary>
    None,

    /// <summary>It has done a step of long work, and goes on in one of the next turns.</summary>
    GoesOn,

    /// <summary>Others come first, whom the client follows by now. Nothing was done.</summary>
    LetsPass,
}
