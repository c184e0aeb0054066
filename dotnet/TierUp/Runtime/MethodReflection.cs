// What     From a method handle to its reflection object, also for methods of generic types, without exceptions.
// What not Judges nothing: MethodFilter does.
// Threads  [any]; Prepare under TieringHost's lock.
// Failure  null where no reflection object can be had; then the method is asked about by checked copies each time.
// Source   MethodBase.GetMethodFromHandle refuses methods of generic types unless their type is named, which a bare handle does not tell. It stands
//          on RuntimeType.GetMethodBase(IRuntimeMethodInfo) (System.Private.CoreLib, the same name in 8.0.34, 9.0.23, 10.0.15, 11.0.0), and
//          RuntimeMethodHandle is one field of type IRuntimeMethodInfo, which a handle from MethodBase.MethodHandle fills with the MethodBase itself.
//          Test: MethodReflectionTests.

using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace TierUp.Runtime;

internal static unsafe class MethodReflection
{
    // delegate*<object, MethodBase?>: RuntimeType.GetMethodBase. 0: not found, use the public method.
    private static nint s_getMethodBase;

    [MethodImpl(Code.Untiered)]
    internal static void Prepare()
    {
        Type? runtimeType = Type.GetType("System.RuntimeType, System.Private.CoreLib");
        Type? methodInfoType = Type.GetType("System.IRuntimeMethodInfo, System.Private.CoreLib");
        FieldInfo? value = typeof(RuntimeMethodHandle).GetField("m_value", BindingFlags.Instance | BindingFlags.NonPublic);
        if (runtimeType is null || methodInfoType is null || value is null || value.FieldType != methodInfoType
            || sizeof(RuntimeMethodHandle) != sizeof(nint))
        {
            return;
        }

        MethodInfo? getMethodBase = runtimeType.GetMethod(
            "GetMethodBase", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public, null, new Type[] { methodInfoType }, null);
        if (getMethodBase is not null && getMethodBase.ReturnType == typeof(MethodBase))
        {
            s_getMethodBase = getMethodBase.MethodHandle.GetFunctionPointer();
        }
    }

    /// <summary>The handle must have been validated by tierup_method_inspect: a stale one would crash the process here.</summary>
    [MethodImpl(Code.Untiered)]
    internal static MethodBase? Find(RuntimeMethodHandle handle)
    {
        nint getMethodBase = s_getMethodBase;
        if (getMethodBase == 0)
        {
            return FindByPublicMethod(handle);
        }

        object info = Unsafe.As<RuntimeMethodHandle, object>(ref handle);
        return info is MethodBase known ? known : ((delegate*<object, MethodBase?>)getMethodBase)(info);
    }

    /// <summary>The runtime handle of a reflection object. A dynamic method is completed by it, as CreateDelegate does.</summary>
    [MethodImpl(Code.Untiered)]
    internal static RuntimeMethodHandle HandleOf(MethodBase method)
    {
        try
        {
            return method is DynamicMethod dynamicMethod ? GetMethodDescriptor(dynamicMethod) : method.MethodHandle;
        }
        catch (NotSupportedException error)
        {
            throw Errors.NoHandle(method, error);
        }
        catch (InvalidOperationException error)
        {
            throw Errors.NoHandle(method, error);
        }
        catch (MissingMethodException error)
        {
            throw Errors.NoHandle(method, error);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static MethodBase? FindByPublicMethod(RuntimeMethodHandle handle)
    {
        try
        {
            return MethodBase.GetMethodFromHandle(handle);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    // DynamicMethod.MethodHandle always throws; this is what DynamicMethod.CreateDelegate uses (System.Private.CoreLib, 8.0 to 11.0).
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "GetMethodDescriptor")]
    [MethodImpl(Code.Untiered)]
    private static extern RuntimeMethodHandle GetMethodDescriptor(DynamicMethod method);
}
