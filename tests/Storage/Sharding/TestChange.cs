using Strata.Storage.Changes;

namespace Strata.Tests.Storage.Sharding;

/// <summary>What tests say of changes where it does not matter.</summary>
internal static class TestChange
{
    /// <summary>Some event, of no author.</summary>
    public static readonly Change Any = new(KeyEvent.Set, author: null);
}
