// What     Walks the metadata of TierUp.dll: no method body without the flag that keeps our own code out of the tiering queue.
// Source   MethodImplAttributes.AggressiveOptimization: ECMA-335 augment of .NET Core 3.0.

using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Xunit;

namespace TierUp.Tests;

public sealed class AttributeWalkTests
{
    [Fact]
    public void every_method_of_the_library_is_compiled_once_and_never_counted()
    {
        List<string> offenders = [];
        int bodies = 0;
        using FileStream file = File.OpenRead(typeof(TieredCompilation).Assembly.Location);
        using PEReader image = new(file);
        MetadataReader metadata = image.GetMetadataReader();
        foreach (TypeDefinitionHandle typeHandle in metadata.TypeDefinitions)
        {
            TypeDefinition type = metadata.GetTypeDefinition(typeHandle);
            if (IsNeverRun(metadata, type))
            {
                continue;
            }

            foreach (MethodDefinitionHandle methodHandle in type.GetMethods())
            {
                MethodDefinition method = metadata.GetMethodDefinition(methodHandle);
                bool isAccessor = (method.Attributes & MethodAttributes.Abstract) == 0 && method.RelativeVirtualAddress == 0;
                if (method.RelativeVirtualAddress == 0 && !isAccessor)
                {
                    continue;
                }

                bodies++;
                if ((method.ImplAttributes & MethodImplAttributes.AggressiveOptimization) == 0)
                {
                    offenders.Add(NameOf(metadata, type) + "." + metadata.GetString(method.Name));
                }
            }
        }

        Assert.True(bodies > 200, $"only {bodies} bodies were looked at");
        // What it is for: the runtime must tier it.
        Assert.Equal(["TierUp.Signals.ProbeCode.Beat"], offenders);
    }

    [Fact]
    public void the_library_has_no_static_constructor()
    {
        foreach (System.Type type in typeof(TieredCompilation).Assembly.GetTypes())
        {
            Assert.Null(type.TypeInitializer);
        }
    }

    // Attribute types that the compiler embeds are only read, and the declaring skeletons of extension members ("<G>$…") only exist for the
    // compiler: their bodies are one throw, and no call is ever compiled to them.
    private static bool IsNeverRun(MetadataReader metadata, TypeDefinition type)
    {
        if (metadata.GetString(type.Name).StartsWith("<G>$", System.StringComparison.Ordinal))
        {
            return true;
        }

        TypeDefinitionHandle outer = type.GetDeclaringType();
        if (!outer.IsNil && metadata.GetString(metadata.GetTypeDefinition(outer).Name).StartsWith("<G>$", System.StringComparison.Ordinal))
        {
            return true;
        }

        foreach (CustomAttributeHandle handle in type.GetCustomAttributes())
        {
            EntityHandle constructor = metadata.GetCustomAttribute(handle).Constructor;
            if (constructor.Kind == HandleKind.MethodDefinition)
            {
                TypeDefinition attribute = metadata.GetTypeDefinition(metadata.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType());
                if (metadata.GetString(attribute.Name) == "EmbeddedAttribute")
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static string NameOf(MetadataReader metadata, TypeDefinition type)
    {
        return metadata.GetString(type.Namespace) + "." + metadata.GetString(type.Name);
    }
}
