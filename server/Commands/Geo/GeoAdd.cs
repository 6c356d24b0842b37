using Strata.Server.Commands.Model;
using Strata.Server.Commands.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOADD key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]</summary>
internal static class GeoAdd
{
    /// <summary>Arguments of a member: where it is, and its name.</summary>
    private const int Stride = 3;

    public static readonly CommandRow Row = new("geoadd", -5,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        Summary = "Adds members with their places to a sorted set, or moves those that are there.",
        Complexity = "O(log(N)) per member, with N members in the set",
        Syntax = "key [NX|XX] [CH] longitude latitude member [longitude latitude member ...]",
    };

    private static void Execute(CommandContext context)
    {
        var flags = ScoreFlags.None;
        var first = ScoreUpdate.ReadFlags(context, ScoreFlags.Nx | ScoreFlags.Xx | ScoreFlags.Ch, ref flags);
        var count = context.Count - first;
        if (count % Stride != 0 || count == 0
            || (flags & (ScoreFlags.Nx | ScoreFlags.Xx)) == (ScoreFlags.Nx | ScoreFlags.Xx))
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        ScoreUpdate.Apply<PlaceScore>(context, flags, first);
    }

    /// <summary>A longitude and a latitude, of which the score is their cell.</summary>
    private readonly struct PlaceScore : IScoreArguments
    {
        /// <inheritdoc/>
        public static int Count => Stride - 1;

        /// <inheritdoc/>
        public static bool TryRead(CommandContext context, int index, out double score)
        {
            var isPlace = GeoArguments.TryPlace(context, index, out var place);
            score = isPlace ? GeoCell.Of(place, GeoCell.MaxSteps, GeoArea.Map).FirstScore : 0;
            return isPlace;
        }
    }
}
