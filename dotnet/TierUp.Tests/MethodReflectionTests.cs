// What     From a bare handle to its reflection object, for methods that the public GetMethodFromHandle refuses too, on the runtime the tests run on.

using System;
using System.Collections.Generic;
using System.Reflection;
using TierUp.Runtime;
using Xunit;

namespace TierUp.Tests;

public sealed class MethodReflectionTests
{
    public static TheoryData<Type, string> Methods => new()
    {
        { typeof(string), nameof(string.Trim) },
        { typeof(List<string>), "TrimExcess" },
        { typeof(List<int>), "TrimExcess" },
        { typeof(Dictionary<string, int>), "Clear" },
        { typeof(Nullable<int>), "GetHashCode" },
    };

    [Theory]
    [MemberData(nameof(Methods))]
    public void a_bare_handle_finds_its_method(Type type, string name)
    {
        ArgumentNullException.ThrowIfNull(type);
        MethodInfo expected = type.GetMethod(name, [])!;
        MethodBase? found = Find(expected.MethodHandle);
        Assert.NotNull(found);
        Assert.Equal(expected.MetadataToken, found.MetadataToken);
        Assert.Equal(expected.Module, found.Module);
    }

    [Fact]
    public void an_open_generic_is_found_as_one()
    {
        MethodBase? found = Find(typeof(List<>).GetMethod("Clear")!.MethodHandle);
        Assert.NotNull(found);
        Assert.True(found.ContainsGenericParameters);
    }

    [Fact]
    public void a_constructor_of_an_ordinary_type_is_not_collectible()
    {
        Assert.Equal(MethodKinds.None, MethodFilter.KindsOf(typeof(Uri).GetConstructor([typeof(string)])!));
    }

    [Fact]
    public void kinds_are_what_reflection_says()
    {
        Assert.Equal(MethodKinds.ClassConstructor, MethodFilter.KindsOf(typeof(WithClassConstructor).TypeInitializer!));
        Assert.Equal(MethodKinds.NotIL, MethodFilter.KindsOf(typeof(Action).GetMethod("Invoke")!));
        Assert.Equal(MethodKinds.NotIL, MethodFilter.KindsOf(typeof(int[,]).GetMethod("Get")!));
        Assert.Equal(MethodKinds.NotIL, MethodFilter.KindsOf(typeof(ConstantFunction).GetMethod("MapPage", BindingFlags.Static | BindingFlags.NonPublic)!));
    }

    private static MethodBase? Find(RuntimeMethodHandle handle)
    {
        // Starts the library, which prepares the look-up.
        _ = TieredCompilation.Capabilities;
        return MethodReflection.Find(RuntimeMethodHandle.FromIntPtr(handle.Value));
    }

    private static class WithClassConstructor
    {
        static WithClassConstructor()
        {
            GC.KeepAlive(null);
        }
    }
}
