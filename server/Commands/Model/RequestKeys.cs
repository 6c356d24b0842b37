using Strata.Server.Resp;

namespace Strata.Server.Commands.Model;

/// <summary>
/// The keys that a request names, each once for each place it stands in: what leases a command needs, what COMMAND
/// GETKEYS answers, and whatever else follows from a command's keys. Used by foreach.
/// </summary>
internal ref struct RequestKeys
{
    private readonly CommandRow _row;
    private readonly Request _request;
    private KeySpec _spec;
    private int _specs;
    private int _store;
    private int _index;
    private int _last;

    /// <summary>The keys of a request.</summary>
    /// <param name="row">The command, of a container the subcommand.</param>
    /// <param name="request">Its arguments, the verb first.</param>
    public RequestKeys(CommandRow row, in Request request)
    {
        _row = row;
        _request = request;
    }

    /// <summary>Those behind a place.</summary>
    /// <inheritdoc cref="RequestKeys(CommandRow, in Request)"/>
    /// <param name="row">The command, of a container the subcommand.</param>
    /// <param name="request">Its arguments, the verb first.</param>
    /// <param name="place">The place.</param>
    public RequestKeys(CommandRow row, in Request request, in RequestKeyPlace place)
        : this(row, request)
    {
        (_spec, _specs, _store, _index, _last) = place;
    }

    /// <summary>The key.</summary>
    public RequestKey Current { get; private set; }

    /// <summary>Where it stands, of the same row and request.</summary>
    public readonly RequestKeyPlace Place => new(_spec, _specs, _store, _index, _last);

    /// <summary>Whether the numbers of keys among the arguments are numbers, and there are as many arguments.</summary>
    public static bool AreCountsRight(CommandRow row, in Request request)
        => IsCountRight(row.Keys, request) && IsCountRight(row.SecondKeys, request);

    public readonly RequestKeys GetEnumerator() => this;

    public bool MoveNext()
    {
        _index += Math.Max(1, _spec.Step);
        while (_index > _last)
        {
            switch (_specs++)
            {
                case 0:
                    Open(_row.KeysIn(_request));
                    break;
                case 1:
                    Open(_row.SecondKeys);
                    break;
                case 2 when _row.StoreKey?.Invoke(_request, _store) is > 0 and var store:
                    _store = store;
                    _specs--; // There may be another one.
                    Open(new KeySpec(store, store, 1, KeyAccess.Overwrite | KeyAccess.Update));
                    break;
                case 2:
                    break;
                default:
                    return false;
            }
        }

        var isVariable = (_spec.Access & KeyAccess.VariableFlags) != 0;
        Current = new RequestKey(_index, isVariable ? _row.AccessIn(_request) : _spec.Access);
        return true;
    }

    private static bool IsCountRight(KeySpec spec, in Request request)
    {
        var (first, last) = spec.RangeOf(request);
        return (spec.CountAt == 0 && spec.Half == null) || last >= first;
    }

    private void Open(KeySpec spec)
    {
        _spec = spec;
        (_index, _last) = spec.AreKeys ? spec.RangeOf(_request) : (1, 0);
    }
}
