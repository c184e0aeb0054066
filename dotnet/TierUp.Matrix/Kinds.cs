// What     One subject for every kind of method in RUNTIME_FACTS.md, "Method kinds", driven together behind one delay.
// What not No expectations.
// Threads  The caller's.
// Failure  See Drive. A kind that this runtime can't offer is a "say" line "absent" with the reason.
using System;
using System.Collections.Generic;
using System.Threading;

namespace TierUp.Matrix;

internal static class Kinds
{
    public static void Run()
    {
        List<Subject> subjects = [];
        PlainKinds.Add(subjects);
        GenericKinds.Add(subjects);
        AsyncKinds.Add(subjects);
        NativeKinds.Add(subjects);
        EmittedKinds.Add(subjects);
        CollectibleKinds.Add(subjects);
        Drive.ToEnd(subjects);
        foreach (Subject subject in subjects) subject.Observe("ended");
        Canary.Settle(subjects, "settle");
        foreach (Subject subject in subjects) subject.Observe("settled");
    }
}
