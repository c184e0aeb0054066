// What     Assembly-wide facts.
// What not No code.
// Source   DisableRuntimeMarshalling lets the JIT inline the transitions of every native call in this assembly (no marshalling stub is compiled).

using System;
using System.Runtime.CompilerServices;

[assembly: CLSCompliant(false)]
[assembly: DisableRuntimeMarshalling]
