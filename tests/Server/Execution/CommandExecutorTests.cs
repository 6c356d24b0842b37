using NUnit.Framework;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Execution;

/// <summary>How handlers are called under the leases they need, and what becomes of their replies.</summary>
[TestFixture]
internal sealed class CommandExecutorTests
{
    private const string InternalError = "-ERR internal error: the server's log says more";

    private int _calls;

    [SetUp]
    public void SetUp() => _calls = 0;

    [TestCase("APPEND {0} x", ":1")]
    [TestCase("MSET {1} x {0} y", "+OK")]
    [TestCase("MULTI|SET {0} x|EXEC", "+OK|+QUEUED|[+OK]")]
    public void A_command_whose_lease_is_taken_waits_and_holds_nothing(string commands, string replies)
    {
        using var server = new TurnServer(workers: 2, Counted("append", "mset", "exec"));
        var client = server.Connect();
        var taken = server.Server.Context.Shards[3];
        Assert.That(taken.Lease.TryAcquire());
        var texts = Format(commands, server.KeyOf(3), server.KeyOf(0)).Split('|');
        var expected = replies.Split('|');
        Assert.That(client.Call(texts), Is.EqualTo(expected[..^1]));
        Assert.That(_calls, Is.Zero);
        foreach (var shard in server.Server.Context.Shards.All)
        {
            Assert.That(shard.Lease.TryAcquire(), Is.EqualTo(shard != taken), $"shard {shard.Number} is free");
            if (shard != taken)
            {
                shard.Lease.Release();
            }
        }

        taken.Lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(expected[^1..]));
        Assert.That(_calls, Is.EqualTo(1));
    }

    [TestCase("GET {0}", 2, "$0")]
    [TestCase("GETDEL {0}", 1, "$0")]
    [TestCase("MGET {0} {1}", 2, "[$0 $1]")]
    [TestCase("DEL {0} {1}", 1, ":2")]
    public void A_command_whose_record_is_on_the_device_is_executed_when_it_was_read(
        string command, int calls, string reply)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(2, Counted("get", "getdel", "mget", "del"), device);
        var client = server.Connect();
        client.Expect(["DEBUG TIER-EAGER 1", "MSET zero 0 one 1"], "+OK", "+OK");
        Assert.That(server.ShardOf("zero"), Is.Not.SameAs(server.ShardOf("one")));
        Assert.That(IsCold(server, "zero") && IsCold(server, "one"));
        client.Expect([Format(command, "zero", "one")], reply);
        Assert.That(_calls, Is.EqualTo(calls));
    }

    [TestCase(1, "append")]
    [TestCase(2, "append")]
    [TestCase(2, "get")]
    [TestCase(2, "mset")]
    [TestCase(2, "ping")]
    public void A_handler_that_throws_leaves_one_error_and_no_lease(int workers, string verb)
    {
        using var server = new TurnServer(workers, row => row.Name != verb ? row : row.With(context =>
        {
            context.Reply.Array(2);
            context.Reply.Bulk("half"u8);
            throw new InvalidOperationException("a bug");
        }));
        var client = server.Connect();
        var command = verb switch { "append" => "APPEND k v", "get" => "GET k", "mset" => "MSET k v q w", _ => "PING" };
        client.Expect(["SET k 1", command, "INCR k"], "+OK", InternalError, ":2");
        client.Expect(["MULTI", "INCR k", command, "INCR k", "EXEC"],
            "+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[:3 -ERR :4]");
        var other = server.Connect();
        other.Expect(["INCR k"], ":5");
    }

    [TestCase(1, "append")]
    [TestCase(2, "append")]
    [TestCase(2, "get")]
    [TestCase(2, "mset")]
    public void Memory_that_is_exhausted_takes_the_reply_back(int workers, string verb)
    {
        using var server = new TurnServer(workers, row => row.Name != verb ? row : row.With(context =>
        {
            context.Reply.Integer(12345);
            throw new MemoryExhaustedException("no more");
        }));
        var client = server.Connect();
        var command = verb switch { "append" => "APPEND k v", "get" => "GET k", _ => "MSET k v q w" };
        client.Expect(["STRLEN k", command, "STRLEN k"], ":0", "-OOM no more", ":0");
    }

    [TestCase("MSET a b", "[$MSET $a $b $a $MSET]")]
    [TestCase("MULTI|SET a 1|MSET a b|GET a|EXEC", "[+OK [$MSET $a $b $a $MSET] $1]")]
    public void A_command_that_calls_others_has_its_own_again_when_they_were_executed(string commands, string reply)
    {
        TurnServer? server = null;
        CommandRow? nesting = null;
        using var made = server = new TurnServer(1, row => row.Name != "mset" ? row : nesting = row.With(context =>
        {
            var isInTransaction = context.IsInTransaction;
            if (context.Argument(0).SequenceEqual("MSET"u8))
            {
                context.Reply.Array(5);
            }

            context.Reply.Bulk(context.Argument(0));
            if (context.Count > 1)
            {
                using (new CallFrame(context))
                {
                    context.Client.IsInTransaction = true;
                    context.Load(nesting!, context.Request.From(1));
                    server!.Server.Workers[0].Executor.ExecuteCalled(context);
                }

                context.Reply.Bulk(context.Argument(0));
            }

            Assert.That(context.IsInTransaction, Is.EqualTo(isInTransaction));
        }));
        Assert.That(made.Connect().Call(commands.Split('|'))[^1], Is.EqualTo(reply));
    }

    [Test]
    public void A_key_is_hashed_anew_when_databases_are_exchanged_before_its_lease_is_taken()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        client.Expect(["SET k zero", "SELECT 1", "SET k one+one", "SELECT 0"], "+OK", "+OK", "+OK", "+OK");
        client.Send("APPEND k x");
        var exchanges = 0;
        server.Clock.Asked = () =>
        {
            // The run's clock starts behind the hashing and before the lease.
            if (server.Server.Workers[0].Run.Count > 0 && exchanges++ == 0)
            {
                server.Server.Context.Databases.Swap(0, 1);
            }
        };
        server.Turn(0);
        server.Clock.Asked = null;
        Assert.That(exchanges, Is.GreaterThan(0));
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { ":8" }), "what was database 1 is 0 by now");
        client.Expect(["GET k", "SELECT 1", "GET k"], "$one+onex", "+OK", "$zero");
    }

    [Test]
    public void All_keys_are_hashed_anew_when_databases_are_exchanged_before_their_leases_are_taken()
    {
        var selections = 0;
        TurnServer? server = null;
        using var made = server = new TurnServer(workers: 2, row => row.Name != "mset" ? row
            : new CommandRow("mset", MSet.Row.Arity, MSet.Row.Flags, MSet.Row.Keys, MSet.Row.Handler)
            {
                Group = CommandGroup.String,
                Since = "1.0.1",
                Summary = "MSET, between whose hashing and leases databases are exchanged.",
                Complexity = "O(N)",
                ExtraShards = (_, _) =>
                {
                    if (selections++ == 0)
                    {
                        server!.Server.Context.Databases.Swap(0, 1);
                    }
                },
            });
        var client = server.Connect();
        client.Expect(["SET a zero", "MSET a new b new"], "+OK", "+OK");
        Assert.That(selections, Is.EqualTo(2));
        client.Expect(["MGET a b", "SELECT 1", "MGET a b"], "[$new $new]", "+OK", "[$zero nil]");
        Assert.That(server.Server.Context.Shards.CountKeys(1), Is.EqualTo(2), "they are where the mapping says");
    }

    private static string Format(string text, string first, string second)
        => text.Replace("{0}", first, StringComparison.Ordinal).Replace("{1}", second, StringComparison.Ordinal);

    private static unsafe bool IsCold(TurnServer server, string name)
    {
        var shard = server.ShardOf(name);
        return shard.Index.Count > 0
            && Enumerable.Range(1, shard.Log.PageTop - 1).All(page =>
                shard.Log.Pages[page].LiveBytes == 0 || shard.Log.Pages[page].Kind == PageKind.Cold);
    }

    private Func<CommandRow, CommandRow> Counted(params string[] verbs)
        => row => !verbs.Contains(row.Name) ? row : row.With(context =>
        {
            _calls++;
            row.Handler(context);
        });

    [Test]
    public void Where_watched_keys_are_was_told_before_the_databases_have_their_last_version()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var listener = new VersionAtExchange(server.Server.Context.Databases);
        server.Server.Context.Shards[0].Changes.Add(listener);
        client.Expect(["SWAPDB 0 1"], "+OK");

        Assert.That(listener.Version, Is.Positive.And.LessThan(server.Server.Context.Databases.Version));
    }

    private sealed class VersionAtExchange(DatabaseMap databases) : IChangeListener
    {
        public long Version { get; private set; }

        public void BeforeChange(in Key key, in Record record)
        {
        }

        public void Changed(in Key key, in Record record, in Change change)
        {
        }

        public void BeforeClear(int database)
        {
        }

        public void Cleared(int database, IChangeAuthor? author)
        {
        }

        public void BeforeExchange(byte first, byte second)
        {
        }

        public void Exchanged(byte first, byte second, IChangeAuthor? author) => Version = databases.Version;
    }
}
