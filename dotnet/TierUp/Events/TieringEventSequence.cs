// What     The sequences that TieringEvents.ReadAllAsync and TieringEventStream.ReadAllAsync return.
// Threads  Immutable; each enumerator is independent, but enumerators of one stream share its events.

using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Events;

internal sealed class TieringEventSequence : IAsyncEnumerable<TieringEvent>
{
    private readonly TieringEventStream? _stream;
    private readonly TieringEventsOptions? _options;
    private readonly CancellationToken _token;

    [MethodImpl(Code.Untiered)]
    internal TieringEventSequence(TieringEventStream? stream, TieringEventsOptions? options, CancellationToken token)
    {
        _stream = stream;
        _options = options;
        _token = token;
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public IAsyncEnumerator<TieringEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        return new TieringEventEnumerator(_stream, _options, _token, cancellationToken);
    }
}
