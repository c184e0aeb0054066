using Markdig;

namespace WarmMarkdown;

/// <summary>The work that a program would do anyway: render a document. Runs on one thread, so what it counts is exact.</summary>
internal sealed class Workload : IDisposable
{
    private readonly string document;
    private readonly MarkdownPipeline pipeline = new MarkdownPipelineBuilder().UseAdvancedExtensions().UseYamlFrontMatter().Build();
    // Through a delegate: where the loop below is compiled with optimization at once, a direct call would be inlined and never counted.
    private readonly Func<string, MarkdownPipeline?, MarkdownParserContext?, string> render = Markdown.ToHtml;
    private readonly SemaphoreSlim wanted = new(0);
    private readonly Lock gate = new();
    private TaskCompletionSource? next;
    private volatile int runs;
    private volatile bool ended;
    private readonly Thread thread;

    public Workload(string document)
    {
        this.document = document;
        thread = new Thread(Loop) { IsBackground = true, Name = "workload" };
    }

    /// <summary>Begins to serve; whoever asked before gets the first run.</summary>
    public void Start() => thread.Start();

    /// <summary>How often the document has been rendered.</summary>
    public int Runs => runs;

    /// <summary>Length of the last result, so that nobody can say that the work was not done.</summary>
    public int HtmlLength { get; private set; }

    /// <summary>A task that is done when the next run is. Whoever asks before it begins shares it.</summary>
    public Task NextRun()
    {
        lock (gate)
        {
            if (next is null)
            {
                next = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                wanted.Release();
            }

            return next.Task;
        }
    }

    public void Dispose()
    {
        ended = true;
        wanted.Release();
        if (thread.IsAlive)
        {
            thread.Join();
        }

        wanted.Dispose();
    }

    private void Loop()
    {
        while (true)
        {
            wanted.Wait();
            if (ended)
            {
                return;
            }

            TaskCompletionSource run;
            lock (gate)
            {
                run = next!;
                next = null;
            }

            try
            {
                HtmlLength = render(document, pipeline, null).Length;
                runs++;
                run.SetResult();
            }
            catch (Exception failure)
            {
                run.SetException(failure);
            }
        }
    }
}
