using Strata.Storage.Log;

namespace Strata.Storage.Tiering;

/// <summary>The segments of one shard that are held for checkpoints. Used under the shard's lease.</summary>
internal sealed class ShardHolds(LogSegments segments, CheckpointHolds all)
{
    private readonly List<(long Checkpoint, HashSet<LogSegment> Segments)> _holds = [];

    /// <summary>Holds a segment with pages for a checkpoint.</summary>
    public void Hold(long checkpoint, LogSegment segment)
    {
        if (_holds.Count == 0 || _holds[^1].Checkpoint != checkpoint)
        {
            Follow();
            _holds.Add((checkpoint, []));
        }

        if (_holds[^1].Segments.Add(segment))
        {
            Invariant.Check(!segment.IsRetired, "a segment is held while it has pages");
            segment.Holds++;
            for (var i = 0; i < segment.Span; i++)
            {
                all.Name(segments.DeviceNumber(segment, i));
            }
        }
    }

    /// <summary>Gives up what is held for checkpoints that are over.</summary>
    public void Follow()
    {
        for (var i = _holds.Count - 1; i >= 0; i--)
        {
            if (all.IsOver(_holds[i].Checkpoint))
            {
                foreach (var segment in _holds[i].Segments)
                {
                    segments.EndHold(segment);
                }

                _holds.RemoveAt(i);
            }
        }
    }
}
