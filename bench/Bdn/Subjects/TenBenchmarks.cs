// What     Ten ordinary benchmarks of nanoseconds to microseconds: the class whose whole run is timed.
// What not Nothing that was chosen for how it tiers.
// Threads  The engine's.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using BenchmarkDotNet.Attributes;

namespace TierUp.Bench.Bdn.Subjects;

public class TenBenchmarks
{
    private const int Items = 256;

    private readonly int[] _numbers = [.. Enumerable.Range(0, Items).Select(i => (i * 7919) % 1009)];
    private readonly int[] _sorted = [.. Enumerable.Range(0, Items)];
    private readonly string _text = string.Join(' ', Enumerable.Range(0, Items).Select(i => "word" + i));
    private readonly Dictionary<string, int> _index = Enumerable.Range(0, Items).ToDictionary(i => "word" + i);
    private readonly int[] _copy = new int[Items];
    private readonly StringBuilder _builder = new();
    private int _next;

    [Benchmark]
    public int Sum()
    {
        int sum = 0;
        foreach (int number in _numbers)
        {
            sum += number;
        }

        return sum;
    }

    [Benchmark]
    public int Largest()
    {
        int largest = int.MinValue;
        foreach (int number in _numbers)
        {
            largest = Math.Max(largest, number);
        }

        return largest;
    }

    [Benchmark]
    public int Sort()
    {
        _numbers.CopyTo(_copy, 0);
        Array.Sort(_copy);
        return _copy[0];
    }

    [Benchmark]
    public int Search()
    {
        return Array.BinarySearch(_sorted, _next++ % Items);
    }

    [Benchmark]
    public int CountWords()
    {
        int words = 1;
        foreach (char c in _text)
        {
            words += c == ' ' ? 1 : 0;
        }

        return words;
    }

    [Benchmark]
    public int LookUp()
    {
        return _index["word7"];
    }

    [Benchmark]
    public int Hash()
    {
        uint hash = 2166136261;
        foreach (char c in _text)
        {
            hash = (hash ^ c) * 16777619;
        }

        return (int)hash;
    }

    [Benchmark]
    public int Build()
    {
        _builder.Clear();
        for (int i = 0; i < 16; i++)
        {
            _builder.Append(i).Append(',');
        }

        return _builder.Length;
    }

    [Benchmark]
    public int Query()
    {
        return _numbers.Where(number => number % 3 == 0).Select(number => number * 2).Sum();
    }

    [Benchmark]
    public int Parse()
    {
        return int.Parse("1234567") + int.Parse("89");
    }
}
