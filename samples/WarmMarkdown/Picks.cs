using System.Reflection;
using Markdig;
using Markdig.Helpers;
using Markdig.Parsers;
using Markdig.Parsers.Inlines;
using Markdig.Renderers;

namespace WarmMarkdown;

/// <summary>Which methods of Markdig are watched: public, not generic, called by every rendering of the document.</summary>
internal static class Picks
{
    public static WatchedMethod[] All() =>
    [
        // Known from the library's source: one call for each rendering.
        Pick(typeof(Markdown), nameof(Markdown.ToHtml), isCalledOncePerRun: true, typeof(string), typeof(MarkdownPipeline), typeof(MarkdownParserContext)),
        Pick(typeof(MarkdownParser), nameof(MarkdownParser.Parse), isCalledOncePerRun: true, typeof(string), typeof(MarkdownPipeline), typeof(MarkdownParserContext)),
        // Called as often as the document has lines, blocks, words…: at least once.
        Pick(typeof(BlockProcessor), nameof(BlockProcessor.ProcessLine)),
        Pick(typeof(LineReader), nameof(LineReader.ReadLine)),
        Pick(typeof(HeadingBlockParser), nameof(HeadingBlockParser.TryOpen)),
        Pick(typeof(ListBlockParser), nameof(ListBlockParser.TryContinue)),
        Pick(typeof(QuoteBlockParser), nameof(QuoteBlockParser.TryContinue)),
        Pick(typeof(LiteralInlineParser), nameof(LiteralInlineParser.Match)),
        Pick(typeof(EmphasisInlineParser), nameof(EmphasisInlineParser.Match)),
        Pick(typeof(CodeInlineParser), nameof(CodeInlineParser.Match)),
        Pick(typeof(LinkInlineParser), nameof(LinkInlineParser.Match)),
        Pick(typeof(RendererBase), nameof(RendererBase.Write), isCalledOncePerRun: false, typeof(Markdig.Syntax.MarkdownObject)),
        Pick(typeof(HtmlRenderer), nameof(HtmlRenderer.WriteEscape), isCalledOncePerRun: false, typeof(ReadOnlySpan<char>), typeof(bool)),
    ];

    private static WatchedMethod Pick(Type type, string name, bool isCalledOncePerRun = false, params Type[] parameters)
    {
        const BindingFlags all = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        MethodInfo? method = parameters.Length == 0 ? type.GetMethod(name, all) : type.GetMethod(name, all, parameters);
        return new WatchedMethod(method ?? throw new MissingMethodException(type.FullName, name), isCalledOncePerRun);
    }
}
