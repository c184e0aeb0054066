// What     The sequence that EnumerateTierPromotionCallCounts returns.
// Threads  Immutable; each enumerator is independent.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal sealed class TierPromotionBlockingSequence : IEnumerable<int>
{
    private readonly RuntimeMethodHandle _handle;
    private readonly object? _owner;
    private readonly MethodTarget _target;
    private readonly TimeSpan _timeoutPerStep;

    [MethodImpl(Code.Untiered)]
    internal TierPromotionBlockingSequence(in MethodTarget target, RuntimeMethodHandle handle, object? owner, TimeSpan timeoutPerStep)
    {
        _target = target;
        _handle = handle;
        _owner = owner;
        _timeoutPerStep = timeoutPerStep;
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public IEnumerator<int> GetEnumerator()
    {
        return new TierPromotionBlockingEnumerator(_target, _handle, _owner, _timeoutPerStep);
    }

    [MethodImpl(Code.Untiered)]
    IEnumerator IEnumerable.GetEnumerator()
    {
        return GetEnumerator();
    }
}
