// What     The managed copies of the C header's enums and structs against the header itself.
// Source   include/tierup/tierup.h, read as text: names, numbers, and field sizes by the header's own types.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
using TierUp.Native;
using TierUp.Runtime;
using Xunit;

namespace TierUp.Tests;

public sealed class HeaderMirrorTests
{
    private static readonly string s_header = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "tierup.h"));

    [Theory]
    [InlineData(typeof(CompilationTier), "tierup_tier", "TIERUP_TIER_")]
    [InlineData(typeof(MethodStateReason), "tierup_reason", "TIERUP_REASON_")]
    [InlineData(typeof(MethodKinds), "tierup_kind", "TIERUP_KIND_")]
    [InlineData(typeof(PendingCompilationState), "tierup_pending_state", "TIERUP_PENDING_")]
    [InlineData(typeof(TieringEventKind), "tierup_event_kind", "TIERUP_EVENT_")]
    public void an_enum_has_the_headers_names_and_numbers(Type type, string name, string prefix)
    {
        string body = Regex.Match(s_header, $@"typedef enum {name} \{{(.*?)\}} {name};", RegexOptions.Singleline).Groups[1].Value;
        Dictionary<string, int> expected = new(StringComparer.OrdinalIgnoreCase);
        foreach (Match match in Regex.Matches(body, $@"^\s*{prefix}(\w+)\s*=\s*(\d+)(?: << (\d+))?", RegexOptions.Multiline))
        {
            int value = int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture);
            int shift = match.Groups[3].Success ? int.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture) : 0;
            string member = match.Groups[1].Value.Replace("_", "", StringComparison.Ordinal);
            if (char.IsDigit(member[0]))
            {
                member = "Tier" + member;
            }

            expected[member] = value << shift;
        }

        Dictionary<string, int> actual = new(StringComparer.OrdinalIgnoreCase);
        foreach (object value in Enum.GetValues(type))
        {
            actual[value.ToString()!] = Convert.ToInt32(value, CultureInfo.InvariantCulture);
        }

        if (!expected.ContainsKey("None"))
        {
            actual.Remove("None");
        }

        Assert.True(expected.Count > 2);
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
            Assert.Matches($@"TIERUP_{Snake(condition.ToString())}\s*=\s*{(int)condition}\b", s_header);
        }

        foreach (SignalsState state in Enum.GetValues<SignalsState>())
        {
            string pattern = $@"TIERUP_SIGNALS_{state.ToString().ToUpperInvariant()} = {(int)state}\b";
            Assert.Equal(state != SignalsState.Unavailable, Regex.IsMatch(s_header, pattern));
        }

        Assert.Matches($@"TIERUP_EVENT_NAMES_CUT = {NativeEvent.NamesCutFlag}\b", s_header);
        Assert.Matches($@"TIERUP_EVENT_COUNT_IS_AT_LEAST = {NativeEvent.CountIsAtLeastFlag}\b", s_header);
        Assert.Matches($@"TIERUP_SIGNALS_AUTO = {SignalsSetting.Auto}\b", s_header);
        Assert.Matches($@"TIERUP_SIGNALS_OFF = {SignalsSetting.Off}\b", s_header);

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
        Assert.Equal(SizeInHeader("tierup_signals"), sizeof(NativeSignals));
        Assert.Equal(SizeInHeader("tierup_pending_compilation"), sizeof(NativePendingCompilation));
        Assert.Equal(SizeInHeader("tierup_event"), sizeof(NativeEvent));
        Assert.Equal(SizeInHeader("tierup_events_options"), sizeof(NativeEventsOptions));
    }

    [Theory]
    [InlineData("tierup_start_options", typeof(NativeStartOptions))]
    [InlineData("tierup_signals", typeof(NativeSignals))]
    [InlineData("tierup_pending_compilation", typeof(NativePendingCompilation))]
    [InlineData("tierup_event", typeof(NativeEvent))]
    [InlineData("tierup_events_options", typeof(NativeEventsOptions))]
    public void a_structs_fields_have_the_headers_order(string name, Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        IEnumerable<string> expected = Declarations(name).Select(declaration => Regex.Match(declaration, @"(\w+)(?:\[\d+\])?$").Groups[1].Value.Replace("_", "", StringComparison.Ordinal));
        IEnumerable<string> actual = type.GetFields(BindingFlags.Instance | BindingFlags.NonPublic).Select(field => field.Name);
        Assert.Equal(expected, actual, StringComparer.OrdinalIgnoreCase);
    }

    private static string Snake(string name)
    {
        return Regex.Replace(name, "(?<=[a-z])(?=[A-Z])", "_").ToUpperInvariant();
    }

    private static string[] Declarations(string name)
    {
        string body = Regex.Match(s_header, $@"typedef struct {name} \{{(.*?)\}} {name};", RegexOptions.Singleline).Groups[1].Value;
        body = Regex.Replace(body, @"/\*.*?\*/", "", RegexOptions.Singleline);
        return body.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
    }

    // C's layout of a 64-bit System V or Windows target: each field at a multiple of its size, the whole at a multiple of the largest.
    private static int SizeInHeader(string name)
    {
        int size = 0;
        int largest = 1;
        foreach (string declaration in Declarations(name))
        {
            Match field = Regex.Match(declaration, @"^(?:const )?(\w+)\s*(\*?)\s*\w+(?:\[(\d+)\])?$");
            Assert.True(field.Success, declaration);
            int element = field.Groups[2].Length != 0 ? 8 : field.Groups[1].Value switch
            {
                "uint8_t" => 1,
                "uint16_t" => 2,
                "uint32_t" => 4,
                "uint64_t" => 8,
                "tierup_wait_callback" or "tierup_thread_callback" => 8,
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
