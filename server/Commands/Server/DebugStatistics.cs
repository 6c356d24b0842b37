using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Metrics;
using Strata.Server.Reports;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG STRATA-STATS and JMAP: the numbers of INFO's memory, shards and workers.</summary>
internal static class DebugStatistics
{
    public static void Execute(CommandContext context)
    {
        var source = MetricSource.Of(context.Services);
        var text = new InfoText();
        MemorySection.Write(text, source);
        ShardsSection.Write(text, source);
        WorkersSection.Write(text, source);
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(text.ToString()));
    }
}
