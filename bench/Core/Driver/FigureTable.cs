// What     Prints figures: a table for people, then one line of JSON for programs.
// What not Rounds in the table only as much as a reader needs; the JSON has four significant digits.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace TierUp.Bench.Core.Driver;

internal static class FigureTable
{
    /// <summary>Table, verdict, JSON. Returns the exit code: 1 where bounds are checked and one was missed.</summary>
    internal static int Conclude(IReadOnlyList<Figure> figures, TimeSpan took, bool isCheck, string warning = "")
    {
        Print(figures);
        if (warning.Length > 0)
        {
            Console.WriteLine($"warning: {warning}");
        }

        int missed = figures.Count(figure => !figure.IsKept);
        string verdict = missed == 0 ? "all bounds kept" : $"{missed} bounds MISSED";
        Console.WriteLine($"{verdict}, {took.TotalSeconds:0} s on .NET {Environment.Version}");
        PrintJson(figures);
        return isCheck && missed > 0 ? 1 : 0;
    }

    private static void Print(IReadOnlyList<Figure> figures)
    {
        int width = figures.Max(figure => figure.Name.Length);
        Console.WriteLine($"{"figure".PadRight(width)}  {"value",10}  {"bound",-9}  {"verdict",-7}  note");
        foreach (Figure figure in figures)
        {
            string bound = figure.Bound switch
            {
                Bound.AtMost => "<= " + Number(figure.Limit),
                Bound.AtLeast => ">= " + Number(figure.Limit),
                _ => "",
            };
            string verdict = figure.Bound == Bound.None ? "" : figure.IsKept ? "ok" : "MISSED";
            string line = $"{figure.Name.PadRight(width)}  {Number(figure.Value),10}  {bound,-9}  {verdict,-7}  {figure.Note}";
            Console.WriteLine(line.TrimEnd());
        }
    }

    private static void PrintJson(IReadOnlyList<Figure> figures)
    {
        IEnumerable<string> members = figures
            .Where(figure => !figure.IsExtra)
            .Select(figure => $"\"{figure.Name}\":{Number(figure.Value)}");
        Console.WriteLine("{" + string.Join(",", members) + "}");
    }

    /// <summary>Plain decimal digits: never an exponent, never a comma. JSON has no not-a-number: null.</summary>
    private static string Number(double value)
    {
        if (!double.IsFinite(value))
        {
            return "null";
        }

        double size = Math.Abs(value);
        string format = size >= 1000 ? "0" : size >= 100 ? "0.#" : size >= 10 ? "0.##" : "0.####";
        return value.ToString(format, CultureInfo.InvariantCulture);
    }
}
