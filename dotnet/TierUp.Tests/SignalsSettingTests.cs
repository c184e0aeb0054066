// What     Which of several places decides TierUp.Signals.
// Source   The order that TieredCompilation's remarks promise.

using System;
using TierUp.Runtime;
using Xunit;

namespace TierUp.Tests;

public sealed class SignalsSettingTests : IDisposable
{
    public void Dispose()
    {
        AppContext.SetData(SignalsSetting.DataName, null);
        Environment.SetEnvironmentVariable(SignalsSetting.VariableName, null);
        typeof(SignalsSetting).GetField("s_remark", System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)!.SetValue(null, null);
    }

    [Fact]
    public void a_runtimeconfig_property_and_set_data_are_one_place()
    {
        // TierUp.Tests.csproj writes these three into runtimeconfig.json: a text, and two JSON booleans.
        Assert.Equal("Off", AppContext.GetData("TierUp.Tests.Text"));
        Assert.Equal("true", AppContext.GetData("TierUp.Tests.True"));
        Assert.Equal("false", AppContext.GetData("TierUp.Tests.False"));
    }

    [Theory]
    [InlineData(null, null, SignalsSetting.Auto)]
    [InlineData(null, "Off", SignalsSetting.Off)]
    [InlineData(null, "0", SignalsSetting.Off)]
    [InlineData(null, "auto", SignalsSetting.Auto)]
    [InlineData("Off", "Auto", SignalsSetting.Off)]
    [InlineData("off", null, SignalsSetting.Off)]
    [InlineData("false", "Auto", SignalsSetting.Off)]
    [InlineData("Auto", "Off", SignalsSetting.Auto)]
    [InlineData("true", "Off", SignalsSetting.Auto)]
    [InlineData(false, "Auto", SignalsSetting.Off)]
    [InlineData(true, "Off", SignalsSetting.Auto)]
    public void data_goes_before_the_environment(object? data, string? variable, uint expected)
    {
        AppContext.SetData(SignalsSetting.DataName, data);
        Environment.SetEnvironmentVariable(SignalsSetting.VariableName, variable);
        Assert.Equal(expected, SignalsSetting.Read());
        Assert.Equal("", SignalsSetting.Remark);
    }

    [Theory]
    [InlineData("sometimes", null, SignalsSetting.DataName)]
    [InlineData(null, "sometimes", SignalsSetting.VariableName)]
    public void an_unknown_value_counts_as_auto_and_is_told(string? data, string? variable, string source)
    {
        AppContext.SetData(SignalsSetting.DataName, data);
        Environment.SetEnvironmentVariable(SignalsSetting.VariableName, variable);
        Assert.Equal(SignalsSetting.Auto, SignalsSetting.Read());
        Assert.Contains(source, SignalsSetting.Remark, StringComparison.Ordinal);
        using FakeSignals signals = new();
        Assert.Contains("sometimes", TieredCompilation.Capabilities.SignalsReason, StringComparison.Ordinal);
    }
}
