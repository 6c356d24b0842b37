using System.Buffers;
using Strata.Server.Lifecycle;

namespace Strata.Server.Hosting.Live;

/// <summary>
/// Looks at the server once a second, for all live pages together, and only while one is open: between the last page
/// that is closed and the next that is opened nothing runs. All members may be called from any thread.
/// </summary>
/// <param name="start">Begins to look at the server.</param>
/// <param name="clock">Tells when a second is over.</param>
/// <param name="onFault">Told why the figures could not be read; all pages are closed then.</param>
internal sealed class LiveFeed(Func<ILiveFigures> start, TimeProvider clock, Action<Exception> onFault) : IDisposable
{
    private readonly Lock _lock = new();
    private readonly List<LiveStream> _streams = [];
    private ILiveFigures? _figures;
    private ITimer? _timer;
    private byte[] _newest = [];
    private bool _hasEnded;

    /// <summary>Pages that are open.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _streams.Count;
            }
        }
    }

    /// <summary>Opens a stream, which begins with what is known already.</summary>
    /// <returns>Null where there are too many, or the server ends.</returns>
    public LiveStream? TryOpen()
    {
        lock (_lock)
        {
            if (_hasEnded || _streams.Count >= ObservationLimits.LiveStreams)
            {
                return null;
            }

            if (_timer == null)
            {
                _figures = start();
                _newest = Look(_figures);
                var period = ObservationLimits.LivePeriod;
                _timer = clock.CreateTimer(_ => Tick(), null, period, period);
            }

            var stream = new LiveStream();
            _ = stream.TryAdd(_newest);
            _streams.Add(stream);
            return stream;
        }
    }

    /// <summary>Closes a stream that nobody reads any more.</summary>
    public void Close(LiveStream stream)
    {
        lock (_lock)
        {
            _ = _streams.Remove(stream);
            stream.End();
            if (_streams.Count == 0)
            {
                Rest();
            }
        }

        stream.Dispose();
    }

    /// <summary>Ends all streams; no more are opened.</summary>
    public void End()
    {
        lock (_lock)
        {
            _hasEnded = true;
            Rest();
            _streams.ForEach(stream => stream.End());
        }
    }

    /// <inheritdoc/>
    public void Dispose() => End();

    private static byte[] Look(ILiveFigures figures)
    {
        var document = new ArrayBufferWriter<byte>();
        figures.Write(document);
        return document.WrittenSpan.ToArray();
    }

    private void Tick()
    {
        lock (_lock)
        {
            if (_figures == null)
            {
                return; // The last page was closed meanwhile.
            }

            try
            {
                _newest = Look(_figures);
            }
            catch (Exception exception)
            {
                // On a timer's thread it would end the process, for the sake of those who only look on.
                onFault(exception);
                Rest();
                _streams.ForEach(stream => stream.End());
                return;
            }

            foreach (var stream in _streams)
            {
                if (!stream.TryAdd(_newest))
                {
                    stream.Drop();
                }
            }
        }
    }

    private void Rest()
    {
        _timer?.Dispose();
        _timer = null;
        _figures = null;
        _newest = [];
    }
}
