// What     The managed copies of the C header's enums and structs against the header itself.
// Source   include/tierup/tierup.h, read as text: names, numbers, and field sizes by the header's own types.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TierUp.Native;
using Xunit;

namespace TierUp.Tests;

public sealed class HeaderMirrorTests
{
    private static readonly string s_header = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "tierup.h"));

    [Theory]
    [InlineData(typeof(CompilationTier), "TIERUP_TIER_")]
    [InlineData(typeof(MethodStateReason), "TIERUP_REASON_")]
    [InlineData(typeof(MethodKinds), "TIERUP_KIND_")]
    public void an_enum_has_the_headers_names_and_numbers(Type type, string prefix)
    {
        Dictionary<string, int> expected = new(StringComparer.OrdinalIgnoreCase);
        foreach (Match match in Regex.Matches(s_header, $@"^\s*{prefix}(\w+) = (\d+)(?: << (\d+))?", RegexOptions.Multiline))
        {
            int value = int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture);
            int shift = match.Groups[3].Success ? int.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture) : 0;
            string name = match.Groups[1].Value.Replace("_", "", StringComparison.Ordinal);
            if (char.IsDigit(name[0]))
            {
                name = "Tier" + name;
            }

            expected[name] = value << shift;
        }

        Dictionary<string, int> actual = new(StringComparer.OrdinalIgnoreCase);
        foreach (object value in Enum.GetValues(type))
        {
            actual[value.ToString()!] = Convert.ToInt32(value, CultureInfo.InvariantCulture);
        }

        if (type == typeof(MethodKinds))
        {
            actual.Remove("None");
        }

        Assert.True(expected.Count > 5);
        Assert.Equal(expected.OrderBy(pair => pair.Value), actual.OrderBy(pair => pair.Value).Select(pair => new KeyValuePair<string, int>(
            expected.Keys.FirstOrDefault(key => string.Equals(key, pair.Key, StringComparison.OrdinalIgnoreCase)) ?? pair.Key, pair.Value)));
    }

    [Fact]
    public void the_statuses_and_conditions_have_the_headers_numbers()
    {
        foreach (NativeStatus status in Enum.GetValues<NativeStatus>())
        {
            Assert.Matches($@"TIERUP_{Snake(status.ToString())} = {(int)status}\b", s_header);
        }

        foreach (NativeCondition condition in Enum.GetValues<NativeCondition>())
        {
            Assert.Matches($@"TIERUP_{Snake(condition.ToString())} = {(int)condition}\b", s_header);
        }

        Assert.Contains($"#define TIERUP_ABI_VERSION {NativeBinder.AbiVersion}u", s_header, StringComparison.Ordinal);
    }

    [Fact]
    public unsafe void the_structs_have_the_headers_sizes()
    {
        Assert.Equal(SizeInHeader("tierup_property"), sizeof(NativeProperty));
        Assert.Equal(SizeInHeader("tierup_start_options"), sizeof(NativeStartOptions));
        Assert.Equal(SizeInHeader("tierup_settings"), sizeof(NativeSettings));
        Assert.Equal(SizeInHeader("tierup_capabilities"), sizeof(NativeCapabilities));
        Assert.Equal(SizeInHeader("tierup_method_identity"), sizeof(NativeMethodIdentity));
        Assert.Equal(SizeInHeader("tierup_code_version"), sizeof(NativeCodeVersion));
        Assert.Equal(SizeInHeader("tierup_method_state"), sizeof(NativeMethodState));
    }

    private static string Snake(string name)
    {
        return Regex.Replace(name, "(?<=[a-z])(?=[A-Z])", "_").ToUpperInvariant();
    }

    // C's layout of a 64-bit System V or Windows target: each field at a multiple of its size, the whole at a multiple of the largest.
    private static int SizeInHeader(string name)
    {
        string body = Regex.Match(s_header, $@"typedef struct {name} \{{(.*?)\}} {name};", RegexOptions.Singleline).Groups[1].Value;
        body = Regex.Replace(body, @"/\*.*?\*/", "", RegexOptions.Singleline);
        int size = 0;
        int largest = 1;
        foreach (string declaration in body.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            Match field = Regex.Match(declaration, @"^(?:const )?(\w+) (\*?)\w+(?:\[(\d+)\])?$");
            Assert.True(field.Success, declaration);
            int element = field.Groups[2].Length != 0 ? 8 : field.Groups[1].Value switch
            {
                "uint8_t" => 1,
                "uint16_t" => 2,
                "uint32_t" => 4,
                "uint64_t" => 8,
                "tierup_wait_callback" => 8,
                _ => throw new InvalidOperationException(declaration),
            };
            int count = field.Groups[3].Success ? int.Parse(field.Groups[3].Value, CultureInfo.InvariantCulture) : 1;
            size = ((size + element - 1) / element * element) + (element * count);
            largest = Math.Max(largest, element);
        }

        Assert.True(size > 0);
        return (size + largest - 1) / largest * largest;
    }
}
