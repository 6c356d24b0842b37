using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>CLIENT TRACKING, compared with Redis's: the same commands of several clients on both servers, and after
/// each its reply and what all clients were told.</summary>
public sealed class TrackingAgreementTests
{
    private static readonly string[] s_default =
    [
        "a HELLO 3", "a CLIENT TRACKINGINFO", "a CLIENT GETREDIR", "a CLIENT TRACKING ON", "a CLIENT TRACKINGINFO",
        "a CLIENT GETREDIR", "a GET k", "b SET k v", "b SET k w", "a GET k", "b GET k", "a SET k x", "a SET k y",
        "a MGET k l m", "b MSET l 1 m 2", "b DEL k l m", "a EXISTS k", "a STRLEN l", "a TTL m", "b SET m v",
        "b EXPIRE m 100", "a TTL m", "b PERSIST m", "b RPUSH list a b c", "a LRANGE list 0 -1", "b LPOP list",
        "b HSET h f v", "a HGETALL h", "a HGET h f", "b HDEL h f", "b ZADD z 1 a", "a ZSCORE z a", "a ZRANGE z 0 -1",
        "b ZINCRBY z 1 a", "a SMEMBERS s", "b SADD s a", "a GET s", "b SREM s a", "a LLEN list", "b RENAME list list2",
        "a LLEN list2", "b COPY m list2 REPLACE", "a PING", "a ECHO k", "a GETEX k", "b SET k v", "a GET k",
        "a SINTERCARD 2 x y", "b SADD y 1", "a OBJECT ENCODING k", "b APPEND k v", "a PFADD p a", "a PFCOUNT p",
        "b PFADD p b", "a XLEN x", "b XADD x * f v", "a XRANGE x - +", "b XTRIM x MAXLEN 0", "a SORT_RO list2",
        "a DBSIZE", "a GET k", "b FLUSHALL", "b SET k v", "a GET k", "a FLUSHDB", "a GET k", "a RESET",
        "b SET k v", "a CLIENT TRACKINGINFO",
    ];

    private static readonly string[] s_transactions =
    [
        "a HELLO 3", "a CLIENT TRACKING ON", "a MULTI", "a GET k", "a GET l", "a EXEC", "b SET k v", "b SET l v",
        "a MULTI", "a GET k", "a SET k x", "a EXEC", "a GET k", "a MULTI", "a SET k z", "a FLUSHALL", "a EXEC",
        "a WATCH k", "a GET k", "b SET k v", "a MULTI", "a GET l", "a EXEC", "b SET l v", "a GET k",
        "a EVAL return(redis.call('set',KEYS[1],'q')) 1 k", "a EVAL return(redis.call('get',KEYS[1])) 1 k",
        "b SET k r", "a EVAL_RO return(redis.call('get',KEYS[1])) 1 k", "b SET k r",
        "a EVAL return(redis.call('mget','k','l')) 2 k l", "b DEL k l",
    ];

    private static readonly string[] s_options =
    [
        "a HELLO 3", "a CLIENT TRACKING ON OPTIN", "a CLIENT TRACKINGINFO", "a GET k", "b SET k v",
        "a CLIENT CACHING YES", "a CLIENT TRACKINGINFO", "a GET k", "a GET l", "a CLIENT TRACKINGINFO", "b SET k v",
        "b SET l v", "a CLIENT CACHING YES", "a CLIENT ID TOO MANY", "a PING", "a GET k", "b SET k v",
        "a CLIENT CACHING YES", "a NOSUCH", "a GET k", "b SET k v", "a CLIENT CACHING YES", "a MULTI", "a GET k",
        "a GET l", "a EXEC", "a GET m", "b MSET k 1 l 2 m 3", "a CLIENT CACHING NO", "a CLIENT CACHING PERHAPS",
        "a CLIENT CACHING", "a CLIENT TRACKING ON OPTOUT", "a CLIENT TRACKING ON OPTIN OPTOUT",
        "a CLIENT TRACKING OFF", "a CLIENT CACHING YES", "a CLIENT TRACKING ON OPTOUT", "a CLIENT TRACKINGINFO",
        "a CLIENT CACHING YES", "a GET k", "a CLIENT CACHING NO", "a CLIENT TRACKINGINFO", "a GET l", "a GET m",
        "b MSET k 1 l 2 m 3", "a CLIENT TRACKING ON OPTIN", "a CLIENT TRACKING ON NOLOOP OPTOUT",
        "a CLIENT TRACKINGINFO", "a GET k", "a SET k v", "b SET k v", "a GET k", "b SET k v", "a CLIENT TRACKING OFF",
        "a CLIENT TRACKING OFF", "a CLIENT TRACKING", "a CLIENT TRACKING MAYBE", "a CLIENT TRACKING ON WORD",
        "a CLIENT TRACKING ON REDIRECT", "a CLIENT TRACKING ON REDIRECT x", "a CLIENT TRACKING ON REDIRECT 123456",
        "a CLIENT TRACKING OFF REDIRECT 123456", "a CLIENT TRACKING ON REDIRECT 0",
        "a CLIENT TRACKING ON REDIRECT $b REDIRECT $b", "a CLIENT TRACKING ON REDIRECT 123456 WORD",
        "a CLIENT TRACKING ON REDIRECT $b WORD", "a CLIENT TRACKINGINFO X", "a CLIENT GETREDIR X", "a CLIENT CACHING",
    ];

    private static readonly string[] s_redirection =
    [
        "c SUBSCRIBE __redis__:invalidate", "a CLIENT TRACKING ON REDIRECT $c", "a CLIENT GETREDIR",
        "a CLIENT TRACKINGINFO", "a GET k", "b SET k v", "b SET k v", "a GET k", "a SET k w", "a MGET k l",
        "b MSET k 1 l 2", "a GET k", "b FLUSHALL", "a GET k", "d HELLO 3", "a CLIENT TRACKING ON REDIRECT $d",
        "a GET k", "b SET k v", "a GET k", "b SET k v", "d CLIENT TRACKING ON REDIRECT $c NOLOOP", "d GET k",
        "d SET k v", "b SET k v", "d GET k", "b SET k v", "a CLIENT TRACKING ON REDIRECT $b", "a GET k", "b SET k v",
        "c QUIT", "d GET k", "b SET k v", "d CLIENT TRACKINGINFO", "d GET k", "b SET k v", "d CLIENT TRACKING ON",
        "d CLIENT TRACKINGINFO", "d GET k", "b SET k v",
    ];

    private static readonly string[] s_broadcast =
    [
        "a HELLO 3", "a CLIENT TRACKING ON PREFIX x", "a CLIENT TRACKING ON BCAST PREFIX", "a CLIENT TRACKINGINFO",
        "a CLIENT TRACKING ON BCAST OPTIN", "a CLIENT TRACKING ON BCAST OPTOUT PREFIX a",
        "a CLIENT TRACKING ON BCAST PREFIX user: PREFIX object: PREFIX x", "a CLIENT TRACKINGINFO",
        "b SET user:1 v", "b SET other v", "b SET x v", "b SET xx v",
        "b MSET user:2 v object:1 w y 1 user:1 v user:1 w",
        "a SET user:3 v", "a GET user:1", "b DEL user:1 user:2 user:9", "b EXPIRE xx 100", "b RENAME xx user:5",
        "a CLIENT TRACKING ON", "a CLIENT TRACKING ON BCAST PREFIX user:", "a CLIENT TRACKING ON BCAST PREFIX use",
        "a CLIENT TRACKING ON BCAST PREFIX xyz", "a CLIENT TRACKING ON BCAST PREFIX q PREFIX qq",
        "a CLIENT TRACKING ON BCAST PREFIX qq PREFIX q", "a CLIENT TRACKING ON BCAST PREFIX s", "a CLIENT TRACKINGINFO",
        "b SET s1 v", "a CLIENT TRACKING ON BCAST PREFIX n NOLOOP", "a SET n1 v", "b SET n1 v", "a MSET n1 v user:1 v",
        "b MULTI", "b SET n1 1", "b INCR n1", "b SET n2 1", "b SET user:1 1", "b EXEC", "a MULTI", "a SET n1 1",
        "a GET n1", "a EXEC", "b FLUSHALL", "d HELLO 3", "d CLIENT TRACKING ON BCAST", "d CLIENT TRACKINGINFO",
        "b SET user:1 v", "d SET k v", "d CLIENT TRACKING OFF", "d CLIENT TRACKING ON", "d GET k", "b SET k v",
        "b SET user:1 v", "c SUBSCRIBE __redis__:invalidate", "d CLIENT TRACKING OFF",
        "d CLIENT TRACKING ON BCAST REDIRECT $c PREFIX k PREFIX l", "b SET k v", "b SET m v", "b SET l v",
        "d CLIENT TRACKING ON BCAST", "a RESET", "b SET user:1 v", "a CLIENT TRACKINGINFO",
        "a CLIENT TRACKING ON BCAST", "a CLIENT TRACKING ON", "a CLIENT TRACKING OFF", "a CLIENT TRACKING ON",
    ];

    [Test]
    public void Clients_are_told_what_Redis_tells(
        [Values("default", "transactions", "options", "redirection", "broadcast")] string script,
        [Values(1, 2, 3)] int workers)
    {
        using var redis = RedisProcess.Start();
        using var strata = StrataProcess.Start("--workers", $"{workers}");
        using var expected = new TrackingClients(redis);
        using var actual = new TrackingClients(strata);
        expected.TellsApart = actual.TellsApart = workers > 1;
        var lines = script switch
        {
            "default" => s_default,
            "transactions" => s_transactions,
            "options" => s_options,
            "broadcast" => s_broadcast,
            _ => s_redirection,
        };
        using (Assert.EnterMultipleScope())
        {
            foreach (var line in lines)
            {
                Assert.That(actual.Do(line), Is.EqualTo(expected.Do(line)), line);
            }
        }
    }
}
