using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Systemd;
using Microsoft.Extensions.Logging;
using Strata.Server.Commands.Documentation;
using Strata.Server.Hosting.Checks;
using Strata.Server.Hosting.Health;
using Strata.Server.Hosting.Logging;
using Strata.Server.Hosting.Telemetry;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Options.Keys;
using Strata.Server.Persistence;
using Strata.Server.Versions;
using Strata.Storage.Memory;

namespace Strata.Server.Hosting;

/// <summary>
/// The program from its arguments to its exit code: configuration, logging, the kernel's limits, the engine, and the
/// signals. SIGTERM and SIGINT stop it in order. What keeps it from starting is one line on standard error (and in the
/// log file, where there is one) and an exit code other than 0.
/// </summary>
public static class ServerHost
{
    /// <summary>Runs the server until it is stopped.</summary>
    /// <param name="arguments">The program's arguments.</param>
    /// <param name="makeEngine">
    /// Makes the engine. The services have <see cref="ConfigurationStore"/>, <see cref="ServerShutdown"/> and loggers.
    /// </param>
    public static ExitCode Run(string[] arguments, Func<IServiceProvider, IServerEngine> makeEngine)
    {
        InterruptSignal.StopIgnoring();
        using var hangUps = HangUpSignal.Ignore();
        try
        {
            var parsed = ProgramArguments.Parse(arguments);
            var areSecretsHidden = SecretArguments.TryHide(arguments, parsed.Secrets);
            if (TextToPrint(parsed) is { } text)
            {
                ProgramOutput.Out.Write(text.EndsWith('\n') ? text : text + "\n");
                return ExitCode.Ok;
            }

            return AskedInstead(parsed) ?? Start(
                ConfigurationLoader.Load(parsed, Environment.GetEnvironmentVariables()), areSecretsHidden, makeEngine);
        }
        catch (ConfigurationException error)
        {
            return Report(ExitCode.Configuration, error.Message);
        }
        catch (StartupException error)
        {
            return Report(error.ExitCode, error.Message);
        }
    }

    private static string? TextToPrint(ProgramArguments arguments) => arguments switch
    {
        { TextToPrint: { } text } => text,
        { Options.PrintConf: true } => ConfigurationDocument.Conf(),
        { Options.PrintReference: true } => ConfigurationDocument.Reference(),
        { Options.PrintCommands: true } => CommandDocument.Write(),
        _ => null,
    };

    /// <summary>Does what was asked for in place of serving; null where nothing was.</summary>
    private static ExitCode? AskedInstead(ProgramArguments arguments) => arguments.Options switch
    {
        { Health: true } => HealthCheck.Run(arguments, Environment.GetEnvironmentVariables()),
        { CheckAof: "" } or { CheckRdb: "" } => throw new ConfigurationException(
            "Flags --check-aof and --check-rdb take the path of what is to be checked, and this one is empty"),
        { CheckAof: { } path, Fix: var fixes } => JournalCheck.Run(path, fixes, Console.In, ProgramOutput.Out),
        { CheckRdb: { } file } => RdbCheck.Run(file),
        { Fix: true } => throw new ConfigurationException("Flag --fix tells what to do after --check-aof PATH"),
        _ => null,
    };

    private static ExitCode Start(
        LoadedConfiguration configuration,
        bool areSecretsHidden,
        Func<IServiceProvider, IServerEngine> makeEngine)
    {
        if (configuration.Options is { UnixSocketPath.Length: 0 } and ({ Port: 0, TlsPort: 0 } or { Binds.Count: 0 }))
        {
            throw new ConfigurationException(
                "Configured to not listen anywhere: give bind and port or tls-port, or unixsocket a path");
        }

        if (Supervision.ErrorOf(configuration.Options.Supervised) is { } supervisionError)
        {
            throw new ConfigurationException(supervisionError);
        }

        WorkingDirectory.Enter(configuration.Options.Directory);
        List<string> warnings = [.. configuration.Warnings];
        var options = OpenFilesLimit.Fit(configuration.Options, warnings.Add);
        var store = new ConfigurationStore(options, configuration.ConfFile)
        {
            Users = configuration.Users,
            Renames = configuration.Renames,
        };
        store.Subscribe(ClientKeys.MaxClients, OpenFilesLimit.Apply);
        store.Subscribe(EngineKeys.Dir, WorkingDirectory.Apply);
        if (!areSecretsHidden)
        {
            warnings.Add("Passwords among the program's arguments are shown to all users by ps: use a conf file.");
        }

        if (ListenBacklog.Check(store.Current) is { } backlogWarning)
        {
            warnings.Add(backlogWarning);
        }

        if (Supervision.WarningOf(store.Current.Supervised) is { } supervisionWarning)
        {
            warnings.Add(supervisionWarning);
        }

        using var host = Build(store, makeEngine);
        var logger = host.Services.GetRequiredService<ILoggerFactory>().CreateLogger(typeof(ServerHost).FullName!);
        var confFile = store.ConfFile is null ? "no conf file, so on the defaults" : $"conf file {store.ConfFile}";
        HostingLog.Starting(logger, ProductVersion.Text, Environment.ProcessId, confFile);
        foreach (var warning in warnings)
        {
            HostingLog.Warning(logger, warning);
        }

        return Serve(host, logger, logsToFile: store.Current.LogFilePath.Length > 0);
    }

    private static IHost Build(ConfigurationStore store, Func<IServiceProvider, IServerEngine> makeEngine)
    {
        // The empty builder reads no settings files and watches none, which is most of a usual host's start.
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        ServerLogging.Configure(builder.Logging, store);
        builder.Services.AddSingleton(store);
        builder.Services.AddSingleton<ServerShutdown>();
        builder.Services.AddSingleton(makeEngine);
        if (store.Current.MetricsPort != 0)
        {
            builder.Services.AddHostedService<MetricsEndpoint>();
        }

        builder.Services.AddHostedService<ServerEngineService>();
        builder.Services.AddHostedService<SystemHeapService>();
        if (store.Current.OtlpEndpoint is { } endpoint)
        {
            TelemetryExport.Configure(builder, endpoint, store.Current.OtlpProtocol);
        }

        if (store.Current.PidFilePath.Length > 0)
        {
            builder.Services.AddHostedService<PidFile>();
        }

        if (Supervision.IsBySystemd(store.Current.Supervised))
        {
            // After the engine: started when that accepts, and stopped before it.
            builder.Services.AddSingleton<ISystemdNotifier, SystemdNotifier>();
            builder.Services.AddHostedService<SystemdService>();
        }

        builder.Services.Configure<ConsoleLifetimeOptions>(lifetime => lifetime.SuppressStatusMessages = true);
        builder.Services.Configure<HostOptions>(host =>
            host.ShutdownTimeout = Timeout.InfiniteTimeSpan); // The engine bounds what it waits for, but for scripts.
        return builder.Build();
    }

    private static ExitCode Serve(IHost host, ILogger logger, bool logsToFile)
    {
        UnhandledExceptionEventHandler endInternally = (_, crash) =>
        {
            // The logger's own thread may not get to write any more: standard error comes first.
            _ = Report(ExitCode.Internal, $"Internal error: {crash.ExceptionObject}");
            HostingLog.InternalError(logger, (Exception)crash.ExceptionObject);
            Environment.Exit((int)ExitCode.Internal);
        };
        AppDomain.CurrentDomain.UnhandledException += endInternally;
        using var insistence = InsistentSignal.Listen(
            () => Environment.Exit((int)Report(ExitCode.Interrupted, "Interrupted a second time: ends at once")));
        try
        {
            host.Start();
            host.WaitForShutdown();
            return host.Services.GetRequiredService<ServerShutdown>().ExitCode;
        }
        catch (Exception error) when (ToStartupException(error) is { } failure)
        {
            HostingLog.Failed(logger, failure.Message);
            return logsToFile ? Report(failure.ExitCode, failure.Message) : failure.ExitCode;
        }
        finally
        {
            AppDomain.CurrentDomain.UnhandledException -= endInternally;
        }
    }

    /// <summary>What a failed start means to the user; null for an error of the server itself.</summary>
    private static StartupException? ToStartupException(Exception error) => error switch
    {
        StartupException failure => failure,

        // The runtime throws it for a thread that cannot be started, too.
        OutOfMemoryException or MemoryExhaustedException => new StartupException(
            ExitCode.Resources,
            $"Memory or threads cannot be had: {error.Message}. Give the process more, or lower workers and shards"),
        IOException => new StartupException(ExitCode.Resources, $"File descriptors cannot be had: {error.Message}"),
        _ => null,
    };

    private static ExitCode Report(ExitCode exitCode, string message)
    {
        _ = ProgramOutput.TryTellError($"strata-server: {message}");
        return exitCode;
    }
}
