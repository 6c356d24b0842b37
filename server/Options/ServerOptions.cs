using System.Net;
using Strata.Server.Options.Keys;
using Strata.Server.Options.Syntax;
using Strata.Storage.Changes;
using Strata.Storage.Devices;

namespace Strata.Server.Options;

/// <summary>
/// The configuration in force, typed: one property per key, named after it, with its unit. A snapshot that never
/// changes: a change by CONFIG SET makes another, which <see cref="ConfigurationStore.Current"/> gives from then on.
/// What each means is in the key's summary (<see cref="ConfigurationTable"/>).
/// </summary>
/// <param name="values">The values, all of them right.</param>
public sealed class ServerOptions(ConfigurationValues values)
{
    private readonly IReadOnlyList<OutputBufferLimit> _outputLimits =
        OutputBufferLimitSyntax.ToLimits(values[ClientKeys.ClientOutputBufferLimit]);

    /// <summary>The options without any configuration.</summary>
    public static ServerOptions Defaults { get; } = new(ConfigurationValues.Defaults);

    /// <summary>The texts that the properties are read from.</summary>
    public ConfigurationValues Values { get; } = values;

    public IReadOnlyList<BindAddress> Binds { get; } = BindSyntax.ToAddresses(values[NetworkKeys.Bind]);

    public int Port { get; } = values.Integer(NetworkKeys.Port);

    /// <summary>Empty when there is no Unix socket.</summary>
    public string UnixSocketPath { get; } = values.Unicode(NetworkKeys.UnixSocket);

    /// <summary>The mode bits; 0 to leave them alone.</summary>
    public int UnixSocketMode { get; } = OctalSyntax.ToMode(values[NetworkKeys.UnixSocketPerm]);

    public int TcpBacklog { get; } = values.Integer(NetworkKeys.TcpBacklog);

    /// <summary>0 for no probes.</summary>
    public int TcpKeepaliveSeconds { get; } = values.Integer(NetworkKeys.TcpKeepalive);

    /// <summary>0 for no timeout.</summary>
    public int TimeoutSeconds { get; } = values.Integer(NetworkKeys.Timeout);

    public bool ProtectedMode { get; } = values.YesNo(NetworkKeys.ProtectedMode);

    /// <summary>0 where no TLS is spoken.</summary>
    public int TlsPort { get; } = values.Integer(TlsKeys.TlsPort);

    public string TlsCertFile { get; } = values.Unicode(TlsKeys.TlsCertFile);

    public string TlsKeyFile { get; } = values.Unicode(TlsKeys.TlsKeyFile);

    public string TlsKeyFilePass { get; } = values.Unicode(TlsKeys.TlsKeyFilePass);

    public string TlsCaCertFile { get; } = values.Unicode(TlsKeys.TlsCaCertFile);

    public string TlsCaCertDir { get; } = values.Unicode(TlsKeys.TlsCaCertDir);

    public TlsClientCheck TlsAuthClients { get; } =
        EnumerationSyntax.ToMember<TlsClientCheck>(values[TlsKeys.TlsAuthClients]);

    public string TlsProtocols { get; } = values.Unicode(TlsKeys.TlsProtocols);

    public string TlsCiphers { get; } = values.Unicode(TlsKeys.TlsCiphers);

    public string TlsCiphersuites { get; } = values.Unicode(TlsKeys.TlsCiphersuites);

    public bool TlsPreferServerCiphers { get; } = values.YesNo(TlsKeys.TlsPreferServerCiphers);

    public string TlsDhParamsFile { get; } = values.Unicode(TlsKeys.TlsDhParamsFile);

    public bool TlsSessionCaching { get; } = values.YesNo(TlsKeys.TlsSessionCaching);

    public int TlsSessionCacheTimeoutSeconds { get; } = values.Integer(TlsKeys.TlsSessionCacheTimeout);

    /// <inheritdoc cref="NetworkKeys.AllowUnsupported"/>
    public IReadOnlyList<string> AllowUnsupported { get; } =
        values[NetworkKeys.AllowUnsupported].Split(' ', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>The bytes of the password; empty when none is asked for.</summary>
    public ReadOnlyMemory<byte> Requirepass { get; } = ConfigurationText.ToBytes(values[ClientKeys.Requirepass]);

    /// <summary>Whether a new user may name all channels.</summary>
    public bool AclAllowsAllChannels { get; } = values[AccessKeys.AclPubSubDefault] == "allchannels";

    /// <summary>How many refusals are kept.</summary>
    public long AclLogMaxLength { get; } = values.Number(AccessKeys.AclLogMaxLen);

    /// <summary>The file of the users; empty for none.</summary>
    public string AclFile { get; } = values.Unicode(AccessKeys.AclFile);

    public long MaxClients { get; } = values.Number(ClientKeys.MaxClients);

    public OutputBufferLimit NormalOutputBufferLimit => _outputLimits[0];

    public OutputBufferLimit ReplicaOutputBufferLimit => _outputLimits[1];

    public OutputBufferLimit PubSubOutputBufferLimit => _outputLimits[2];

    public long ClientQueryBufferLimitBytes { get; } = values.Number(ClientKeys.ClientQueryBufferLimit);

    public long TrackingTableMaxKeys { get; } = values.Number(ClientKeys.TrackingTableMaxKeys);

    public long ProtoMaxBulkLengthBytes { get; } = values.Number(ClientKeys.ProtoMaxBulkLen);

    public GuardedAccess EnableDebugCommand { get; } =
        EnumerationSyntax.ToMember<GuardedAccess>(values[ClientKeys.EnableDebugCommand]);

    public GuardedAccess EnableProtectedConfigs { get; } =
        EnumerationSyntax.ToMember<GuardedAccess>(values[ClientKeys.EnableProtectedConfigs]);

    /// <summary>0 for no limit.</summary>
    public long MaxMemoryBytes { get; } = values.Number(MemoryKeys.MaxMemory);

    public MaxMemoryPolicy MaxMemoryPolicy { get; } =
        EnumerationSyntax.ToMember<MaxMemoryPolicy>(values[MemoryKeys.MaxMemoryPolicy]);

    public int LfuLogFactor { get; } = values.Integer(MemoryKeys.LfuLogFactor);

    /// <summary>Minutes; 0 for never.</summary>
    public int LfuDecayTime { get; } = values.Integer(MemoryKeys.LfuDecayTime);

    /// <summary>1 to 10.</summary>
    public int ActiveExpireEffort { get; } = values.Integer(MemoryKeys.ActiveExpireEffort);

    public long HashMaxListpackEntries { get; } = values.Number(CollectionKeys.HashMaxListpackEntries);

    /// <summary>Bytes.</summary>
    public long HashMaxListpackValue { get; } = values.Number(CollectionKeys.HashMaxListpackValue);

    /// <summary>Elements, or -1 to -5 for 4 to 64 KB.</summary>
    public int ListMaxListpackSize { get; } = values.Integer(CollectionKeys.ListMaxListpackSize);

    /// <summary>Has no effect.</summary>
    public int ListCompressDepth { get; } = values.Integer(CollectionKeys.ListCompressDepth);

    public long SetMaxIntsetEntries { get; } = values.Number(CollectionKeys.SetMaxIntsetEntries);

    public long SetMaxListpackEntries { get; } = values.Number(CollectionKeys.SetMaxListpackEntries);

    /// <summary>Bytes.</summary>
    public long SetMaxListpackValue { get; } = values.Number(CollectionKeys.SetMaxListpackValue);

    public long ZsetMaxListpackEntries { get; } = values.Number(CollectionKeys.ZsetMaxListpackEntries);

    /// <summary>Bytes.</summary>
    public long ZsetMaxListpackValue { get; } = values.Number(CollectionKeys.ZsetMaxListpackValue);

    /// <summary>Bytes.</summary>
    public long HllSparseMaxBytes { get; } = values.Number(CollectionKeys.HllSparseMaxBytes);

    /// <summary>Bytes.</summary>
    public long StreamNodeMaxBytes { get; } = values.Number(CollectionKeys.StreamNodeMaxBytes);

    public long StreamNodeMaxEntries { get; } = values.Number(CollectionKeys.StreamNodeMaxEntries);

    public bool StorageTier { get; } = values.YesNo(TierKeys.StorageTier);

    /// <summary>A power of two.</summary>
    public long SegmentSizeBytes { get; } = values.Number(TierKeys.SegmentSize);

    public DeviceBackend DeviceIoBackend { get; } =
        EnumerationSyntax.ToMember<DeviceBackend>(values[TierKeys.DeviceIoBackend]);

    public int DeviceThrottleLimit { get; } = values.Integer(TierKeys.DeviceThrottleLimit);

    /// <summary>1 to 99.</summary>
    public int CompactionGarbagePercent { get; } = values.Integer(TierKeys.CompactionGarbagePercent);

    public bool CopyReadsToTail { get; } = values.YesNo(TierKeys.CopyReadsToTail);

    public bool AppendOnly { get; } = values.YesNo(JournalKeys.AppendOnly);

    public SyncPolicy AppendFsync { get; } = EnumerationSyntax.ToMember<SyncPolicy>(values[JournalKeys.AppendFsync]);

    /// <summary>What the names of the journal's files begin with.</summary>
    public string AppendFileName { get; } = values.Unicode(JournalKeys.AppendFileName);

    /// <summary>The folder of the journal's files, in <see cref="Directory"/>.</summary>
    public string AppendDirName { get; } = values.Unicode(JournalKeys.AppendDirName);

    public bool LoadTruncated { get; } = values.YesNo(JournalKeys.LoadTruncated);

    public bool TimestampEnabled { get; } = values.YesNo(JournalKeys.TimestampEnabled);

    public long AutoRewritePercentage { get; } = values.Integer(JournalKeys.AutoRewritePercentage);

    public long AutoRewriteMinBytes { get; } = values.Number(JournalKeys.AutoRewriteMinSize);

    public bool NoAppendfsyncOnRewrite { get; } = values.YesNo(JournalKeys.NoAppendfsyncOnRewrite);

    public bool UseRdbPreamble { get; } = values.YesNo(JournalKeys.UseRdbPreamble);

    public bool RewriteIncrementalFsync { get; } = values.YesNo(JournalKeys.RewriteIncrementalFsync);

    /// <inheritdoc cref="PersistenceKeys.Save"/>
    public IReadOnlyList<SavePoint> SavePoints { get; } = SavePoint.Parse(values[PersistenceKeys.Save]);

    /// <summary>A name in <see cref="Directory"/>.</summary>
    public string DbFileName { get; } = values.Unicode(PersistenceKeys.DbFileName);

    public bool StopWritesOnBgsaveError { get; } = values.YesNo(PersistenceKeys.StopWritesOnBgsaveError);

    public bool RdbCompression { get; } = values.YesNo(PersistenceKeys.RdbCompression);

    public bool RdbChecksum { get; } = values.YesNo(PersistenceKeys.RdbChecksum);

    public bool RdbSaveIncrementalFsync { get; } = values.YesNo(PersistenceKeys.RdbSaveIncrementalFsync);

    public long SnapshotBufferBytes { get; } = values.Number(PersistenceKeys.SnapshotBuffer);

    public int Databases { get; } = values.Integer(EngineKeys.Databases);

    public NotificationClasses NotifyKeyspaceEvents { get; } =
        NotificationSyntax.ToClasses(values[EngineKeys.NotifyKeyspaceEvents]);

    public bool DisableThp { get; } = values.YesNo(EngineKeys.DisableThp);

    /// <summary>A power of two.</summary>
    public int Shards { get; } = values.Integer(EngineKeys.Shards);

    /// <summary>The number of threads to start: where the key says 0, the cores that the process may use.</summary>
    public int WorkerCount { get; } =
        values.Integer(EngineKeys.Workers) is > 0 and var workers ? workers : Environment.ProcessorCount;

    public bool SgGet { get; } = values.YesNo(EngineKeys.SgGet);

    /// <summary>1 to 500.</summary>
    public int Hz { get; } = values.Integer(EngineKeys.Hz);

    /// <summary>An absolute path.</summary>
    public string Directory { get; } = values.Unicode(EngineKeys.Dir);

    public SupervisionMode Supervised { get; } =
        EnumerationSyntax.ToMember<SupervisionMode>(values[ProcessKeys.Supervised]);

    /// <summary>Empty for none.</summary>
    public string PidFilePath { get; } = values.Unicode(ProcessKeys.PidFile);

    public LogVerbosity LogLevel { get; } = EnumerationSyntax.ToMember<LogVerbosity>(values[DiagnosticKeys.LogLevel]);

    /// <summary>Empty for standard output.</summary>
    public string LogFilePath { get; } = values.Unicode(DiagnosticKeys.LogFile);

    public LogFormat LogFormat { get; } = EnumerationSyntax.ToMember<LogFormat>(values[DiagnosticKeys.LogFormat]);

    /// <summary>-1 to log nothing.</summary>
    public long SlowlogLogSlowerThanMicroseconds { get; } = values.Number(DiagnosticKeys.SlowlogLogSlowerThan);

    public long SlowlogMaxLength { get; } = values.Number(DiagnosticKeys.SlowlogMaxLen);

    public bool LatencyTracking { get; } = values.YesNo(DiagnosticKeys.LatencyTracking);

    public IReadOnlyList<double> LatencyTrackingInfoPercentiles { get; } =
        PercentilesSyntax.ToPercentiles(values[DiagnosticKeys.LatencyTrackingInfoPercentiles]);

    /// <summary>0 to keep nothing.</summary>
    public long LatencyMonitorThresholdMs { get; } = values.Number(DiagnosticKeys.LatencyMonitorThreshold);

    /// <summary>0 for none.</summary>
    public int MetricsPort { get; } = values.Integer(ObservationKeys.MetricsPort);

    public IPAddress MetricsBind { get; } = IPAddress.Parse(values[ObservationKeys.MetricsBind]);

    /// <summary>Null for none.</summary>
    public Uri? OtlpEndpoint { get; } =
        values[ObservationKeys.OtlpEndpoint] is { Length: > 0 } endpoint ? new Uri(endpoint) : null;

    public OtlpProtocol OtlpProtocol { get; } =
        EnumerationSyntax.ToMember<OtlpProtocol>(values[ObservationKeys.OtlpProtocol]);

    /// <summary>0 to let scripts run as long as they do.</summary>
    public long BusyReplyThresholdMs { get; } = values.Number(DiagnosticKeys.BusyReplyThreshold);
}
