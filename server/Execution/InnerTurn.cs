using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Runtime;

namespace Strata.Server.Execution;

/// <summary>What a worker reads, executes and answers other clients' commands with while a client's script is at work
/// on it, in place of what the script's command uses.</summary>
internal sealed class InnerTurn : IDisposable
{
    public InnerTurn(ExecutionWorker worker)
    {
        Reply = new ReplyWriter(worker.Errors, worker.Budget, isSeldomUsed: true);
        Arguments = new ArgumentBuffer(worker.Budget);
        Input = new InputWindow();
        Context = worker.NewContext(Reply, Input);
        Loop = new CommandLoop(worker);
    }

    public ReplyWriter Reply { get; }

    public ArgumentBuffer Arguments { get; }

    public InputWindow Input { get; }

    public CommandContext Context { get; }

    public CommandLoop Loop { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        Reply.Dispose();
        Arguments.Dispose();
        Input.Dispose();
    }
}
