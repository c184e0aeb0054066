// What     The sequence that EnumerateTierPromotionCallCountsAsync returns.
// Threads  Immutable; each enumerator is independent.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal sealed class TierPromotionSequence : IAsyncEnumerable<int>
{
    private readonly RuntimeMethodHandle _handle;
    private readonly object? _owner;
    private readonly MethodTarget _target;
    private readonly CancellationToken _token;

    [MethodImpl(Code.Untiered)]
    internal TierPromotionSequence(in MethodTarget target, RuntimeMethodHandle handle, object? owner, CancellationToken token)
    {
        _target = target;
        _handle = handle;
        _owner = owner;
        _token = token;
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public IAsyncEnumerator<int> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        return new TierPromotionAsyncEnumerator(_target, _handle, _owner, _token, cancellationToken);
    }
}
