// What     Walks a stream's events one by one.
// What not Loses none: what it did not yield stays in the stream, if the stream was given.
// Threads  One consumer. DisposeAsync may come while a MoveNextAsync is pending, if the stream is its own: the step ends then.
// Failure  OperationCanceledException from MoveNextAsync; the exceptions of TieringEventStream.Open from the first one.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Events;

internal sealed class TieringEventEnumerator : IAsyncEnumerator<TieringEvent>
{
    private readonly TieringEventsOptions? _options;
    private readonly CancellationToken _firstToken;
    private readonly CancellationToken _secondToken;
    private readonly bool _ownsStream;

    private TieringEventStream? _stream;
    private TieringEvent _current;
    private bool _hasCurrent;
    private bool _isDisposed;

    [MethodImpl(Code.Untiered)]
    internal TieringEventEnumerator(TieringEventStream? stream, TieringEventsOptions? options, CancellationToken firstToken, CancellationToken secondToken)
    {
        _stream = stream;
        _ownsStream = stream is null;
        _options = options;
        _firstToken = firstToken;
        _secondToken = secondToken;
    }

    /// <inheritdoc/>
    public TieringEvent Current
    {
        [MethodImpl(Code.Untiered)]
        get
        {
            // A step that had to wait leaves its event in the stream until it is looked at.
            if (!_hasCurrent && _stream is not null)
            {
                _hasCurrent = _stream.TryRead(out _current);
            }

            return _current;
        }
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public ValueTask<bool> MoveNextAsync()
    {
        if (_isDisposed)
        {
            return default;
        }

        if (_firstToken.IsCancellationRequested || _secondToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<bool>(_firstToken.IsCancellationRequested ? _firstToken : _secondToken);
        }

        _stream ??= TieringEventStream.Open(_options);
        _hasCurrent = _stream.TryRead(out _current);
        return _hasCurrent ? new ValueTask<bool>(true) : _stream.WaitToReadAsync(_firstToken, _secondToken);
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        if (_ownsStream)
        {
            _stream?.Dispose();
        }

        return default;
    }
}
