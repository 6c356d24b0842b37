namespace Strata.Server.Diagnostics;

/// <summary>What the clients of one worker take, as it looks at all of them now and then; any thread may read it.
/// </summary>
public sealed class ClientMemory
{
    // Redis keeps the largest of the last eight seconds, which is as many looks.
    private const int Looks = 8;

    private readonly long[] _inputs = new long[Looks];
    private readonly long[] _outputs = new long[Looks];
    private long _sum;
    private int _look;

    /// <summary>Bytes of all clients as of the last look.</summary>
    public long TotalBytes { get; private set; }

    /// <summary>The largest buffer of unfinished input of the last looks, bytes.</summary>
    public long LargestInputBytes => _inputs.Max();

    /// <summary>The largest buffer of unsent output of the last looks, bytes.</summary>
    public long LargestOutputBytes => _outputs.Max();

    /// <summary>Begins a look at all clients.</summary>
    internal void Begin()
    {
        _look = (_look + 1) % Looks;
        _inputs[_look] = 0;
        _outputs[_look] = 0;
        _sum = 0;
    }

    /// <summary>Looks at a client.</summary>
    internal void Add(long inputBytes, long outputBytes, long totalBytes)
    {
        _inputs[_look] = Math.Max(_inputs[_look], inputBytes);
        _outputs[_look] = Math.Max(_outputs[_look], outputBytes);
        _sum += totalBytes;
    }

    /// <summary>Ends the look.</summary>
    internal void End() => TotalBytes = _sum;
}
