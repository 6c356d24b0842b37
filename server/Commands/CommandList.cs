using Strata.Server.Commands.Access;
using Strata.Server.Commands.Bitmaps;
using Strata.Server.Commands.Cluster;
using Strata.Server.Commands.Connection;
using Strata.Server.Commands.Functions;
using Strata.Server.Commands.Geo;
using Strata.Server.Commands.Hashes;
using Strata.Server.Commands.HyperLogLogs;
using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Lists;
using Strata.Server.Commands.Migrating;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Observation;
using Strata.Server.Commands.PubSub;
using Strata.Server.Commands.Replication;
using Strata.Server.Commands.Scripting;
using Strata.Server.Commands.Server;
using Strata.Server.Commands.Sets;
using Strata.Server.Commands.SortedSets;
using Strata.Server.Commands.Sorting;
using Strata.Server.Commands.Streams;
using Strata.Server.Commands.Strings;
using Strata.Server.Commands.Transactions;

namespace Strata.Server.Commands;

/// <summary>Every command of the server, one line each.</summary>
public static class CommandList
{
    /// <summary>The rows, by group.</summary>
    public static CommandTable Table { get; } = Number(new CommandTable(

        // Strings
        Append.Row,
        Decr.Row,
        DecrBy.Row,
        Get.Row,
        GetDel.Row,
        GetEx.Row,
        GetRange.Row,
        GetSet.Row,
        Incr.Row,
        IncrBy.Row,
        IncrByFloat.Row,
        Lcs.Row,
        MGet.Row,
        MSet.Row,
        MSetNx.Row,
        PSetEx.Row,
        Set.Row,
        SetEx.Row,
        SetNx.Row,
        SetRange.Row,
        StrLen.Row,
        SubStr.Row,

        // Bitmaps
        BitCount.Row,
        BitField.Row,
        BitFieldRo.Row,
        BitOp.Row,
        BitPos.Row,
        GetBit.Row,
        SetBit.Row,

        // HyperLogLogs
        PfAdd.Row,
        PfCount.Row,
        PfDebug.Row,
        PfMerge.Row,
        PfSelfTest.Row,

        // Geo
        GeoAdd.Row,
        GeoDist.Row,
        GeoHash.Row,
        GeoPos.Row,
        GeoRadius.Row,
        GeoRadiusByMember.Row,
        GeoRadiusByMemberRo.Row,
        GeoRadiusRo.Row,
        GeoSearch.Row,
        GeoSearchStore.Row,

        // Hashes
        HDel.Row,
        HExists.Row,
        HExpire.Row,
        HExpireAt.Row,
        HExpireTime.Row,
        HGet.Row,
        HGetAll.Row,
        HIncrBy.Row,
        HIncrByFloat.Row,
        HKeys.Row,
        HLen.Row,
        HMGet.Row,
        HMSet.Row,
        HPExpire.Row,
        HPExpireAt.Row,
        HPExpireTime.Row,
        HPTtl.Row,
        HPersist.Row,
        HRandField.Row,
        HScan.Row,
        HSet.Row,
        HSetNx.Row,
        HStrLen.Row,
        HTtl.Row,
        HVals.Row,

        // Lists
        BLMove.Row,
        BLMPop.Row,
        BLPop.Row,
        BRPop.Row,
        BRPopLPush.Row,
        LIndex.Row,
        LInsert.Row,
        LLen.Row,
        LMove.Row,
        LMPop.Row,
        LPop.Row,
        LPos.Row,
        LPush.Row,
        LPushX.Row,
        LRange.Row,
        LRem.Row,
        LSet.Row,
        LTrim.Row,
        RPop.Row,
        RPopLPush.Row,
        RPush.Row,
        RPushX.Row,

        // Sets
        SAdd.Row,
        SCard.Row,
        SDiff.Row,
        SDiffStore.Row,
        SInter.Row,
        SInterCard.Row,
        SInterStore.Row,
        SIsMember.Row,
        SMembers.Row,
        SMIsMember.Row,
        SMove.Row,
        SPop.Row,
        SRandMember.Row,
        SRem.Row,
        SScan.Row,
        SUnion.Row,
        SUnionStore.Row,

        // Sorted sets
        BZMPop.Row,
        BZPopMax.Row,
        BZPopMin.Row,
        ZAdd.Row,
        ZCard.Row,
        ZCount.Row,
        ZDiff.Row,
        ZDiffStore.Row,
        ZIncrBy.Row,
        ZInter.Row,
        ZInterCard.Row,
        ZInterStore.Row,
        ZLexCount.Row,
        ZMPop.Row,
        ZMScore.Row,
        ZPopMax.Row,
        ZPopMin.Row,
        ZRandMember.Row,
        ZRange.Row,
        ZRangeByLex.Row,
        ZRangeByScore.Row,
        ZRangeStore.Row,
        ZRank.Row,
        ZRem.Row,
        ZRemRangeByLex.Row,
        ZRemRangeByRank.Row,
        ZRemRangeByScore.Row,
        ZRevRange.Row,
        ZRevRangeByLex.Row,
        ZRevRangeByScore.Row,
        ZRevRank.Row,
        ZScan.Row,
        ZScore.Row,
        ZUnion.Row,
        ZUnionStore.Row,

        // Streams
        XAck.Row,
        XAdd.Row,
        XAutoClaim.Row,
        XClaim.Row,
        XDel.Row,
        XGroup.Row,
        XInfo.Row,
        XLen.Row,
        XPending.Row,
        XRange.Row,
        XRead.Row,
        XReadGroup.Row,
        XRevRange.Row,
        XSetId.Row,
        XTrim.Row,

        // Transactions
        Discard.Row,
        Exec.Row,
        Multi.Row,
        Unwatch.Row,
        Watch.Row,

        // Publish and subscribe
        PSubscribe.Row,
        Publish.Row,
        PubSub.PubSub.Row,
        PUnsubscribe.Row,
        SPublish.Row,
        SSubscribe.Row,
        Subscribe.Row,
        SUnsubscribe.Row,
        Unsubscribe.Row,

        // Keys
        Copy.Row,
        Del.Row,
        Dump.Row,
        Exists.Row,
        Expire.Row,
        ExpireAt.Row,
        ExpireTime.Row,
        Keys.Keys.Row,
        Migrate.Row,
        Move.Row,
        Keys.Object.Row,
        Persist.Row,
        PExpire.Row,
        PExpireAt.Row,
        PExpireTime.Row,
        PTtl.Row,
        RandomKey.Row,
        Rename.Row,
        RenameNx.Row,
        Restore.Row,
        Scan.Row,
        Sort.Row,
        SortRo.Row,
        Touch.Row,
        Ttl.Row,
        Keys.Type.Row,
        Unlink.Row,

        // Replication
        Failover.Row,
        Wait.Row,
        WaitAof.Row,

        // Scripting
        Eval.Row,
        EvalRo.Row,
        EvalSha.Row,
        EvalShaRo.Row,
        FCall.Row,
        FCallRo.Row,
        FunctionContainer.Row,
        ScriptContainer.Row,

        // Server
        Acl.Row,
        BgRewriteAof.Row,
        BgSave.Row,
        Command.Row,
        Config.Row,
        DbSize.Row,
        Debug.Row,
        FlushAll.Row,
        FlushDb.Row,
        Info.Row,
        LastSave.Row,
        Latency.Row,
        Lolwut.Row,
        Memory.Row,
        Server.Module.Row,
        Server.Monitor.Row,
        Role.Row,
        Save.Row,
        Shutdown.Row,
        Slowlog.Row,
        StrataReports.Row,
        SwapDb.Row,
        Time.Row,

        // Connection
        Auth.Row,
        Client.Row,
        Echo.Row,
        Hello.Row,
        Ping.Row,
        Quit.Row,
        Reset.Row,
        Select.Row,

        // Cluster
        Asking.Row,
        Cluster.Cluster.Row,
        ReadOnly.Row,
        ReadOnly.ReadWriteRow));

    /// <summary>Numbers the rows, and those of subcommands.</summary>
    private static CommandTable Number(CommandTable table)
    {
        var next = 0;
        Number(table, ref next);
        return table;
    }

    private static void Number(CommandTable table, ref int next)
    {
        foreach (var row in table.Rows)
        {
            row.Register(next++);
            if (row.Subcommands != null)
            {
                Number(row.Subcommands, ref next);
            }
        }
    }
}
