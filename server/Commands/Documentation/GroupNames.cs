using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>The names of groups in the Redis command reference.</summary>
internal static class GroupNames
{
    public static string Of(CommandGroup group)
        => group == CommandGroup.SortedSet ? "sorted-set" : group.ToString().ToLowerInvariant();
}
