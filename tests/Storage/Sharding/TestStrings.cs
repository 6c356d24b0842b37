using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;
using Strata.Storage.Strings;

namespace Strata.Tests.Storage.Sharding;

/// <summary>Changes strings as commands do, for tests that look at the record.</summary>
internal static class TestStrings
{
    /// <summary>Gives a string another length.</summary>
    public static Record Resize(Shard shard, in Key key, in Record record, int length)
    {
        var editor = new StringEditor(shard, key, record);
        editor.Resize(length);
        editor.End(TestChange.Any);
        return editor.Record;
    }
}
