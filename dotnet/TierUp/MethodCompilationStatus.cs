// What     The proposal's three states of a method.
// What not "Not known" is not a state here: polls throw TieringStateUnknownException, MethodState.Status is null.
// Threads  Values only.
// Source   dotnet/runtime#129020 (names and meanings); numbers as tierup_compilation in tierup.h.

namespace System.Runtime.CompilerServices;

/// <summary>How far a method has come on its way to its final native code.</summary>
public enum MethodCompilationStatus
{
    /// <summary>There is no native code for the method's active version: nothing has called (or prepared) it yet.</summary>
    Cold = 0,

    /// <summary>There is native code, and a promotion to better code is still to come, if the method is called often enough.</summary>
    Optimizing = 1,

    /// <summary>There is native code, or there never will be any, and no promotion will come.</summary>
    Final = 2,
}
