using System.Collections.Concurrent;
using System.IO.Pipelines;
using Strata.Server.Clients;
using Strata.Server.Execution.Leases;
using Strata.Server.Journal;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Options.Keys;

namespace Strata.Server.Execution;

/// <summary>Turns the journal on and off, and lets the workers follow it and its configuration.</summary>
/// <param name="services">The server's.</param>
/// <param name="workers">All of them.</param>
internal sealed class JournalControl(ServerServices services, IReadOnlyList<ExecutionWorker> workers) : IDisposable
{
    private readonly ConcurrentQueue<Action> _wanted = new();
    private readonly ReservedLeases _leases = new(workers[0]);
    private volatile bool _isSwitchedOff;

    private EffectJournal Journal => services.Journal;

    private ServerOptions Options => services.Context.Configuration.Current;

    /// <summary>Loads the journal, if there is to be one, and begins to write it. The workers run, what it begins with
    /// was loaded if that is an RDB, and clients are told to come back later.</summary>
    /// <param name="connect">Connects the client that repeats what stands in the journal.</param>
    /// <exception cref="StartupException">The files are damaged, or the disk refuses them.</exception>
    public void Start(Func<IDuplexPipe> connect)
    {
        if (!services.JournalFiles.IsOpen)
        {
            return; // A client may have changed the configuration since.
        }

        if (services.JournalFiles.TryStart(services.Loading, connect, TurnOn))
        {
            services.Snapshots.History.OnLoaded();
            services.Gates.HoldWhileLoading(false);
            services.Loading.End();
        }
    }

    /// <summary>Has CONFIG SET change what can be changed while the server runs.</summary>
    public void FollowConfiguration()
    {
        var configuration = services.Context.Configuration;
        Journal.Durable = OnDurable;
        services.JournalFiles.IsSnapshotUnderWay = () => services.Snapshots.UnderWay != null;
        services.Rewrites.Ended = AwaitIfAlways;
        configuration.Subscribe(JournalKeys.AppendFsync, (_, next) =>
        {
            Follow(next);
            return null;
        });
        configuration.Subscribe(JournalKeys.AppendOnly, (_, next) =>
        {
            if (next.AppendOnly && !services.JournalFiles.IsOn
                && services.JournalFiles.Folder.ReasonNotToBegin(next) is { } reason)
            {
                services.Context.Log.JournalRefused(reason);
                return "Unable to turn on AOF. Check server logs."; // Redis's words.
            }

            _isSwitchedOff = !next.AppendOnly;
            return null;
        });
    }

    /// <summary>Does what is to be done under all leases; on the first worker.</summary>
    /// <returns>Whether it could not, and is to be called again.</returns>
    public bool MustGoOn()
    {
        while (_wanted.TryPeek(out var work))
        {
            if (!_leases.TryDo(work))
            {
                return true;
            }

            _ = _wanted.TryDequeue(out _);
        }

        return false;
    }

    /// <inheritdoc/>
    public void Dispose() => _leases.Dispose();

    /// <summary>Follows <c>appendonly</c>, and begins the rewrites that are due; on the first worker, some times a
    /// second.</summary>
    public void OnTick()
    {
        if (services.Loading.IsLoading)
        {
            return;
        }

        var files = services.JournalFiles;
        files.GoOnEnding();
        if (files.IsOn && !Options.AppendOnly)
        {
            services.Snapshots.CancelRewrite("appendonly is switched off");
            UnderAllLeases(files.End);
            return;
        }

        if (!Options.AppendOnly)
        {
            files.ForgetPrepared();
            if (_isSwitchedOff && !files.IsOn)
            {
                _isSwitchedOff = false;
                Journal.OnDurable(); // Who waits for what never began does so in vain.
            }
        }

        if (!files.IsEnding)
        {
            services.Rewrites.OnTick();
        }

        AwaitIfAlways();
        ReleaseUnlessAlways();
    }

    /// <summary>Waits until the base is there without which the journal counts for nothing, if it can be written;
    /// before the server stops, on the thread that stops it.</summary>
    public void AwaitBase()
    {
        while (services.JournalFiles.NeedsBase && !services.Rewrites.HasFailed && !services.Loading.IsLoading
            && !services.Context.Shutdown.IsAtOnce)
        {
            Thread.Sleep(ServerLimits.LastSnapshotCheckMs);
        }
    }

    /// <summary>Has replies wait for the disk, if they are to and what is told comes there.</summary>
    private void AwaitIfAlways()
    {
        if (Options.AppendFsync == SyncPolicy.Always)
        {
            Follow(Options);
        }
    }

    /// <summary>From here on replies wait for the disk, or do not.</summary>
    /// <param name="options">Those that say so, which may be about to be the server's.</param>
    private void Follow(ServerOptions options)
    {
        var durability = services.Context.Durability;
        if (options.AppendFsync != SyncPolicy.Always)
        {
            workers[0].Post(ReleaseUnlessAlways); // If it is accepted.
        }
        else if (!durability.IsAwaited && MayAwait(options))
        {
            durability.IsToBeAwaited = true;
            UnderAllLeases(() =>
            {
                if (!durability.IsAwaited && MayAwait(Options))
                {
                    Journal.AwaitDurability();
                    Journal.OnDurable(); // WAITAOF may wait for that.
                }

                durability.IsToBeAwaited = false;
            });
        }
    }

    /// <summary>Nobody waits for the disk any more, those neither who do by now, unless they are to. On the first
    /// worker.</summary>
    private void ReleaseUnlessAlways()
    {
        var durability = services.Context.Durability;
        if (durability.IsAwaited && Options.AppendFsync != SyncPolicy.Always)
        {
            durability.IsAwaited = false;
            durability.Release(durability.Last); // Who is late goes soon.
            Journal.OnDurable();
        }
    }

    /// <summary>Whether what is told comes to the disk by and by, and counts there.</summary>
    private bool MayAwait(ServerOptions options)
        => Journal.IsOn && options.AppendFsync == SyncPolicy.Always && !services.JournalFiles.IsUnlisted;

    /// <summary>Has effects told from now on. Waits for it.</summary>
    private void TurnOn()
    {
        using var done = new ManualResetEventSlim();
        UnderAllLeases(() =>
        {
            Journal.TurnOn();
            if (Options.AppendFsync == SyncPolicy.Always)
            {
                Journal.AwaitDurability();
            }

            done.Set();
        });
        done.Wait();
    }

    /// <summary>Has something done while all leases are held, as soon as they can be had. Any thread.</summary>
    private void UnderAllLeases(Action work)
    {
        _wanted.Enqueue(work);
        workers[0].Post(static () => { }); // It may be waiting for events.
    }

    private void OnDurable()
    {
        foreach (var worker in workers)
        {
            worker.OnDurable();
        }
    }
}
