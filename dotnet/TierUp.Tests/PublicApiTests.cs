// What     The public surface against the list kept in the repository: a change must be made in both places.
// How      To accept a change, copy the file that the failing test names over PublicApi.txt.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Xunit;

namespace TierUp.Tests;

public sealed class PublicApiTests
{
    [Fact]
    public void the_public_surface_is_the_approved_one()
    {
        string actual = string.Join('\n', Lines()) + "\n";
        string approved = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "PublicApi.txt")).ReplaceLineEndings("\n");
        string received = Path.Combine(AppContext.BaseDirectory, "PublicApi.received.txt");
        if (actual != approved)
        {
            File.WriteAllText(received, actual);
        }

        Assert.True(actual == approved, $"The public surface changed. Compare PublicApi.txt with {received}.");
    }

    private static IEnumerable<string> Lines()
    {
        foreach (Type type in typeof(TieredCompilation).Assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            if (type.Name.Contains('$', StringComparison.Ordinal))
            {
                continue;
            }

            yield return $"{type.FullName} : {(type.BaseType is null ? "" : type.BaseType.Name)}";
            List<string> members = [];
            const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
            foreach (MemberInfo member in type.GetMembers(Declared))
            {
                switch (member)
                {
                    case MethodBase method when method.IsPublic || method.IsFamily:
                        members.Add($"    {(method.IsStatic ? "static " : "")}{method}");
                        break;
                    case FieldInfo field when field.IsPublic && type.IsEnum && field.IsLiteral:
                        members.Add($"    {field.Name} = {Convert.ToInt32(field.GetRawConstantValue(), System.Globalization.CultureInfo.InvariantCulture)}");
                        break;
                    case FieldInfo field when field.IsPublic && !type.IsEnum:
                        members.Add($"    {field}");
                        break;
                    default:
                        break;
                }
            }

            members.Sort(StringComparer.Ordinal);
            foreach (string member in members)
            {
                yield return member;
            }
        }
    }
}
