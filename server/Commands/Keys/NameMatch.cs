using Strata.Server.Text;

namespace Strata.Server.Commands.Keys;

/// <summary>A match of a name against the pattern of a scan, which may take several steps.</summary>
internal struct NameMatch
{
    /// <summary>The match.</summary>
    public GlobMatch Match;

    /// <summary>Whether it has begun, and is to be gone on with.</summary>
    public bool IsUnderWay;
}
