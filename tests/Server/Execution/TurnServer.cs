using NUnit.Framework;
using Strata.Server;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Storage.Devices;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Sharding;
using Strata.Tests.Server.Options;
using Strata.Tests.Simulation;

namespace Strata.Tests.Server.Execution;

/// <summary>A server whose workers take turns on the test's thread, when the test says so, by a clock that stands still
/// unless it is moved. At the end nothing may be lent or held.</summary>
internal sealed class TurnServer : IDisposable
{
    private const int TurnsToSettle = 60;

    private readonly SimulatedPlatform _platform = new(seed: 1);
    private readonly TemporaryDirectory _folder = new();
    private readonly List<TurnClient> _clients = [];

    /// <summary>A server with four shards.</summary>
    /// <param name="workers">How many workers take turns.</param>
    /// <param name="change">Puts other rows in the place of the server's.</param>
    /// <param name="device">Where data goes; null for a server without a tier.</param>
    /// <param name="arguments">Further arguments of the program.</param>
    public TurnServer(
        int workers, Func<CommandRow, CommandRow>? change = null, IDevice? device = null, params string[] arguments)
    {
        Server = UnstartedServer.Create(
            [
                "--port", "0", "--workers", $"{workers}", "--shards", "4", "--enable-debug-command", "yes",
                "--storage-tier", device == null ? "no" : "yes", "--dir", _folder.Path, .. arguments,
            ],
            device,
            _platform,
            change);
        UnstartedServer.OpenTier(Server);
    }

    public StrataServer Server { get; }

    /// <summary>Called when a worker waits for others, which must have what it waits for given back.</summary>
    public Action? OthersAwaited
    {
        set => _platform.OthersAwaited = value;
    }

    public SimulatedClock Clock => _platform.SimulatedClock;

    /// <summary>Bytes of all shards' large collections, also of those that no key has.</summary>
    public long HeapBytes
    {
        get
        {
            var bytes = 0L;
            foreach (var shard in Server.Context.Shards.All)
            {
                bytes += shard.Collections.Heap.UsedBytes;
            }

            return bytes;
        }
    }

    /// <summary>Connects a client; clients are dealt out to the workers in turn.</summary>
    public TurnClient Connect()
    {
        var client = new TurnClient(this, Server.Connect());
        _clients.Add(client);
        Settle();
        return client;
    }

    /// <summary>Connects a client to the worker of the one that was connected last.</summary>
    public TurnClient ConnectBeside()
    {
        for (var i = 1; i < Server.Workers.Count; i++)
        {
            _ = Connect();
        }

        return Connect();
    }

    /// <summary>Lets the first worker take turns until a command holds something of the shard of a key, or waits for
    /// it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="most">How many turns that may take.</param>
    public void AwaitHold(string key, int most)
    {
        for (var turns = 0; ShardOf(key).Waits.Count == 0; turns++)
        {
            Assert.That(turns, Is.LessThan(most));
            Turn(0);
        }
    }

    /// <summary>The shard of a key of the first database.</summary>
    public unsafe Shard ShardOf(string key, byte database = 0)
    {
        fixed (byte* pointer = System.Text.Encoding.ASCII.GetBytes(key))
        {
            return Server.Context.Shards.Of(new Key(pointer, key.Length, database).Hash);
        }
    }

    /// <summary>A key of a shard.</summary>
    public string KeyOf(int shard, string prefix = "k")
        => Enumerable.Range(0, 1000).Select(i => $"{prefix}{i}").First(key => ShardOf(key).Number == shard);

    /// <summary>One turn of a worker.</summary>
    public void Turn(int worker) => Server.Workers[worker].Worker.Turn();

    /// <summary>Turns of all workers, enough for all that can go on to come to its end.</summary>
    public void Settle()
    {
        for (var turn = 0; turn < TurnsToSettle; turn++)
        {
            for (var worker = 0; worker < Server.Context.WorkerCount; worker++)
            {
                Turn(worker);
            }
        }
    }

    /// <summary>Whether it ends in the midst of what it does, and nothing is looked at.</summary>
    public bool IsAbandoned { get; set; }

    public void Dispose()
    {
        using var folder = _folder;
        if (IsAbandoned)
        {
            Abandon();
            return;
        }

        foreach (var client in _clients)
        {
            client.Close();
        }

        Settle();
        Assert.That(Server.Context.Shutdown.ExitCode, Is.EqualTo(ExitCode.Ok), "no worker failed");
        Assert.That(Server.Services.Diagnostics.Clients.Connected, Is.Zero);
        Assert.That(MemoryAccount.FirstLent(Server), Is.Null);
        foreach (var shard in Server.Context.Shards.All)
        {
            Assert.That(ShardLease.IsFree(shard.Lease.ReadVersion()), $"the lease of shard {shard.Number}");
        }

        Server.Dispose();
    }

    private void Abandon()
    {
        foreach (var worker in Server.Workers)
        {
            worker.CloseAll();
        }

        Server.Dispose();
    }
}
